# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs an ONNX file with OpenCV for `arenabench run MODEL.onnx --beside opencv`.

Debian's python3-opencv brings what it needs.  PROGRAMS.md has the contract; for another library
than OpenCV, a copy with other functions `library`, `read` and `once` will do.
"""

import sys
import time

try:
    import cv2
    import numpy
except ImportError as failure:
    sys.exit(f"{failure} (Debian has it in python3-opencv)")


class Tensor(numpy.ndarray):
    """Of three dimensions none is a picture's channels, as OpenCV takes it of a plain array."""

    wrap_channels = False


cv2._registerMatType(Tensor)  # what cv2.Mat is, which Debian leaves out


def library():
    return f"opencv {cv2.__version__}"


def read(path, threads):
    cv2.setNumThreads(threads)
    net = cv2.dnn.readNetFromONNX(path)
    net.setPreferableBackend(cv2.dnn.DNN_BACKEND_OPENCV)
    net.setPreferableTarget(cv2.dnn.DNN_TARGET_CPU)
    return net


def once(net, inputs, outputs):
    """Gives the inputs anew and runs once: the outputs and the seconds, the inputs' apart."""
    for name, elements in inputs.items():
        net.setInput(elements, name)
    start = time.perf_counter()
    results = net.forward(outputs)
    return results, time.perf_counter() - start


def refuse(why):
    print("refused", " ".join(str(why).split()))
    sys.exit()


def load(place):
    """The name and the elements of an input."""
    path, kind, shape, name = place.split(" ", 3)
    if kind != "f32":
        refuse(f"'{name}' is {kind}: OpenCV takes and gives f32 only")
    shape = [int(length) for length in shape.split(",") if length != "-"]
    return name, numpy.fromfile(path, "<f4").reshape(shape).view(Tensor)


def restart_peak():
    """The record of the most memory begins anew, where the system can do that."""
    try:
        with open("/proc/self/clear_refs", "w", encoding="ascii") as refs:
            refs.write("5")
    except OSError:
        pass


def peak():
    with open("/proc/self/status", encoding="ascii", errors="replace") as status:
        return [1024 * int(line.split()[1]) for line in status if line.startswith("VmHWM")][0]


def main():
    order = {}
    for line in sys.stdin.buffer.read().decode(errors="surrogateescape").split("\n"):
        word, _, rest = line.partition(" ")
        order.setdefault(word, []).append(rest)
    if "model" not in order:
        return
    print("library", library(), flush=True)
    inputs = dict(load(place) for place in order.get("input", []))
    outputs = [place.split(" ", 3) for place in order["output"]]
    try:
        net = read(order["model"][0], int(order["threads"][0]))
        restart_peak()
        for turn in range(int(order["rounds"][0]) + 1):
            results, seconds = once(net, inputs, [name for *_, name in outputs])
            if turn > 0:
                print("seconds", seconds)
    except Exception as failure:  # whatever it was, OpenCV can't run the model
        refuse(getattr(failure, "err", failure))
    print("resident", peak())
    for (path, *_), elements in zip(outputs, results):
        elements.tofile(path)


main()

# SPDX-License-Identifier: GPL-3.0-or-later
"""The side of a program for `arenabench run --beside` that is the same for each library in Python:
PROGRAMS.md has the contract, beside-opencv.py is one that uses this."""

import sys
import time

import numpy

TYPES = {"f16": "<f2", "f32": "<f4", "f64": "<f8", "i8": "i1", "i16": "<i2", "i32": "<i4", "i64": "<i8",
         "u8": "u1", "u16": "<u2", "u32": "<u4", "u64": "<u8", "bool": "?"}


def refuse(why):
    print("refused", " ".join(str(why).split()))
    sys.exit()


def load(place):
    """The name and the elements of an input."""
    path, kind, shape, name = place.split(" ", 3)
    if kind not in TYPES:
        refuse(f"'{name}' is {kind}, which NumPy has not")
    shape = [int(length) for length in shape.split(",") if length != "-"]
    return name, numpy.fromfile(path, TYPES[kind]).reshape(shape)


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


def answer(library, read, give, run, take=lambda net, results: results):
    """NET = read(path, threads); before each round give(NET, inputs by name); then RESULTS =
    run(NET, names of outputs), which is timed; behind the last one take(NET, RESULTS) has the
    elements.  What they raise is why the library can't run the model."""
    order = {}
    for line in sys.stdin.buffer.read().decode(errors="surrogateescape").split("\n"):
        word, _, rest = line.partition(" ")
        order.setdefault(word, []).append(rest)
    if "model" not in order:
        return  # asked only whether it is there
    print("library", library)
    inputs = dict(load(place) for place in order.get("input", []))
    outputs = [place.split(" ", 3) for place in order["output"]]
    names = [name for *_, name in outputs]
    try:
        net = read(order["model"][0], int(order["threads"][0]))
        restart_peak()
        for turn in range(int(order["rounds"][0]) + 1):
            give(net, inputs)
            start = time.perf_counter()
            results = run(net, names)
            if turn > 0:
                print("seconds", time.perf_counter() - start)
        results = list(take(net, results))
    except Exception as failure:
        refuse(getattr(failure, "err", failure))
    print("resident", peak())
    for (path, *_), elements in zip(outputs, results):
        elements.tofile(path)

# SPDX-License-Identifier: GPL-3.0-or-later
"""Usage: python3 layers-beside.py [--threads N] [--rounds N] [--beside PROGRAM]... LAYER...

Convolution layers beside another library's, in GFLOP/s.  A LAYER is what `arenabench conv` takes,
c=64,h=56,w=56,k=64,r=3,s=3,pad=1, and becomes an ONNX model of that one node, with weights of no
pattern.  Columns, as CSV: our kernel alone, in its own layout (conv); our run of the model and each
PROGRAM's (--beside's, usually onnxruntime), which have the input and the output as the file has
them; the largest distance of their outputs from ours.  ARENABENCH is the program (arenabench).
"""

import argparse
import array
import csv
import os
import random
import subprocess
import sys
import tempfile

FLOAT, INTS, INT = 1, 7, 2  # as ONNX numbers them


def varint(number):
    head, rest = number & 127, number >> 7
    return bytes([head | 128]) + varint(rest) if rest else bytes([head])


def field(number, *values):
    """Of a message in Protocol Buffers' wire format: numbers, texts, bytes, or messages."""
    out = b""
    for value in values:
        if isinstance(value, int):
            out += varint(number << 3) + varint(value)
        else:
            value = value.encode() if isinstance(value, str) else value
            out += varint(number << 3 | 2) + varint(len(value)) + value
    return out


def attribute(name, value):
    if isinstance(value, int):
        return field(1, name) + field(3, value) + field(20, INT)
    return field(1, name) + field(8, *value) + field(20, INTS)


def value_info(name, shape):
    dims = field(1, *(field(1, length) for length in shape))
    return field(1, name) + field(2, field(1, field(1, FLOAT) + field(2, dims)))


def weights(name, shape):
    count = 1
    for length in shape:
        count *= length
    some = array.array("f", (random.Random(1).uniform(-1, 1) for _ in range(10007)))
    if sys.byteorder == "big":
        some.byteswap()
    data = (some * (count // len(some) + 1))[:count].tobytes()
    return field(1, *shape) + field(2, FLOAT) + field(8, name) + field(9, data)


def pair(text):
    numbers = [int(number) for number in text.split("x")]
    return numbers * 2 if len(numbers) == 1 else numbers


def model(text):
    """The file's bytes, and its operations."""
    layer = {"n": "1", "stride": "1", "pad": "0", "dilation": "1", "groups": "1"}
    layer.update(word.split("=") for word in text.split(","))
    n, c, h, w, k, r, s, groups = (int(layer[name]) for name in "n c h w k r s groups".split())
    stride, dilation, pad = pair(layer["stride"]), pair(layer["dilation"]), pair(layer["pad"])
    top, bottom, left, right = pad if len(pad) == 4 else (pad[0], pad[0], pad[1], pad[1])
    rows = (h + top + bottom - dilation[0] * (r - 1) - 1) // stride[0] + 1
    columns = (w + left + right - dilation[1] * (s - 1) - 1) // stride[1] + 1
    attributes = [
        attribute("kernel_shape", [r, s]),
        attribute("strides", stride),
        attribute("dilations", dilation),
        attribute("pads", [top, left, bottom, right]),
        attribute("group", groups),
    ]
    node = field(1, "x", "w", "b") + field(2, "y") + field(4, "Conv") + field(5, *attributes)
    graph = field(1, node) + field(2, "layer")
    graph += field(5, weights("w", [k, c // groups, r, s]), weights("b", [k]))
    graph += field(11, value_info("x", [n, c, h, w])) + field(12, value_info("y", [n, k, rows, columns]))
    operations = 2 * n * k * rows * columns * (c // groups) * r * s
    return field(1, 8) + field(7, graph) + field(8, field(2, 13)), operations


def ask(*words):
    """The rows that the program prints; its messages go where ours do."""
    command = [os.environ.get("ARENABENCH", "arenabench"), *words, "--format", "csv"]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    except OSError as failure:
        sys.exit(f"{command[0]}: {failure.strerror} (ARENABENCH names the program)")
    if done.returncode != 0:
        sys.exit(done.returncode)
    return list(csv.DictReader(done.stdout.splitlines()))


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n")[0][7:], description=__doc__.split("\n\n")[1])
    parser.add_argument("--threads", default="1")
    parser.add_argument("--rounds", default="21")
    parser.add_argument("--beside", action="append", metavar="PROGRAM")
    parser.add_argument("layers", nargs="+", metavar="LAYER")
    wish = parser.parse_args()
    programs = wish.beside or ["onnxruntime"]
    options = ["--threads", wish.threads, "--rounds", wish.rounds]
    out = csv.writer(sys.stdout, lineterminator="\n")
    for layer in wish.layers:
        if "=" not in layer.split(",")[0]:
            sys.exit(f"{layer}: lists and networks are not taken: expected c=64,h=56,w=56,k=64,r=3,s=3...")
    out.writerow(["layer", "library", "threads", "conv", "run", "beside", "distance"])
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "layer.onnx")
        for layer in wish.layers:
            kernel = ask("conv", layer, *options)[0]  # which also says what is wrong with a layer
            data, operations = model(layer)
            with open(path, "wb") as file:
                file.write(data)
            for program in programs:
                rows = ask("run", path, *options, "--beside", program)
                if len(rows) == 2:  # else it has said why there is none
                    rates = [f"{operations / float(row['time_s']) / 1e9:.4g}" for row in rows]
                    name, distance = rows[1]["kernels"], rows[1]["distance"]
                    out.writerow([layer, name, wish.threads, f"{float(kernel['gflops']):.4g}", *rates, distance])
                    sys.stdout.flush()


main()

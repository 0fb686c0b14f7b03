# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs an ONNX file with PyTorch for `arenabench run MODEL.onnx --beside pytorch`.

PyTorch writes such files and does not read them, so each operator is called by its name here, which
the models of convolutional networks can do with; an operator that has no function below is refused.
The word behind the program's name is how that is run: eager, operator by operator; or script, traced,
frozen and optimised for inference (merged operators, oneDNN's layouts), which is usual.
"""

import sys

try:
    import numpy
    import onnx
    import torch
    from onnx import numpy_helper
    from torch.nn import functional as F
except ImportError as failure:
    sys.exit(f"{failure} (Debian has it in python3-torch, python3-onnx)")

import beside

WAYS = ["script", "eager"]
TYPES = {1: torch.float32, 6: torch.int32, 7: torch.int64, 9: torch.bool, 11: torch.float64}  # as ONNX numbers them


def numbers(tensor):
    return [int(number) for number in tensor.flatten()]


def ends(node, x, kernel, strides, dilations):
    """Padding before and behind, a pair for each dimension of the picture."""
    rank = len(kernel)
    auto = node.get("auto_pad", b"NOTSET")
    if auto in (b"NOTSET", b""):
        pads = node.get("pads", [0] * 2 * rank)
        return list(zip(pads[:rank], pads[rank:]))
    if auto == b"VALID":
        return [(0, 0)] * rank
    pairs = []
    for length, k, step, far in zip(x.shape[2:], kernel, strides, dilations):
        whole = max(0, (-(-length // step) - 1) * step + far * (k - 1) + 1 - length)
        half = whole // 2
        pairs.append((half, whole - half) if auto == b"SAME_UPPER" else (whole - half, half))
    return pairs


def window(node, x, kernel):
    rank = len(kernel)
    strides = node.get("strides", [1] * rank)
    dilations = node.get("dilations", [1] * rank)
    return strides, dilations, ends(node, x, kernel, strides, dilations)


def even(pairs, kernel):
    """Whether a pool's function can pad so."""
    return all(low == high and 2 * low <= k for (low, high), k in zip(pairs, kernel))


def padded(x, pairs, alone, value=0.0):
    """The picture and its padding, or with it where the function can't have it so (ALONE: it can)."""
    if alone:
        return x, [low for low, _ in pairs]
    return F.pad(x, [end for pair in reversed(pairs) for end in pair], value=value), [0] * len(pairs)


def conv(node, x, weight, bias=None):
    strides, dilations, pairs = window(node, x, weight.shape[2:])
    x, pads = padded(x, pairs, all(low == high for low, high in pairs))
    function = (F.conv1d, F.conv2d, F.conv3d)[x.dim() - 3]
    return function(x, weight, bias, strides, pads, dilations, node.get("group", 1))


def max_pool(node, x):
    kernel = node["kernel_shape"]
    strides, dilations, pairs = window(node, x, kernel)
    x, pads = padded(x, pairs, even(pairs, kernel), -float("inf"))
    function = (F.max_pool1d, F.max_pool2d, F.max_pool3d)[x.dim() - 3]
    return function(x, kernel, strides, pads, dilations, bool(node.get("ceil_mode", 0)))


def average_pool(node, x):
    kernel = node["kernel_shape"]
    strides, _, pairs = window(node, x, kernel)
    function = (F.avg_pool1d, F.avg_pool2d, F.avg_pool3d)[x.dim() - 3]
    ceil, count = bool(node.get("ceil_mode", 0)), bool(node.get("count_include_pad", 0))
    if even(pairs, kernel):
        return function(x, kernel, strides, [low for low, _ in pairs], ceil, count)
    sums = function(padded(x, pairs, False)[0], kernel, strides, 0, ceil)
    return sums if count else sums / function(padded(torch.ones_like(x), pairs, False)[0], kernel, strides, 0, ceil)


def batch_norm(node, x, scale, bias, mean, variance):
    return F.batch_norm(x, mean, variance, scale, bias, False, 0.0, node.get("epsilon", 1e-5))


def gemm(node, a, b, c=None):
    a = a.t() if node.get("transA", 0) else a
    b = b.t() if node.get("transB", 0) else b
    product = node.get("alpha", 1.0) * (a @ b)
    return product if c is None else product + node.get("beta", 1.0) * c


def softmax(node, x):
    if node.version >= 13:
        return F.softmax(x, node.get("axis", -1))
    shape, x = x.shape, flatten(node, x)
    return F.softmax(x, 1).reshape(shape)


def flatten(node, x):
    axis = node.get("axis", 1)
    rows = 1
    for length in x.shape[: axis + x.dim() if axis < 0 else axis]:
        rows *= int(length)
    return x.reshape(rows, -1)


def reshape(_, x, shape):
    return x.reshape([int(x.shape[i]) if length == 0 else length for i, length in enumerate(numbers(shape))])


def clip(node, x, low=None, high=None):
    low, high = node.get("min", low), node.get("max", high)
    return x if low is None and high is None else torch.clamp(x, low, high)


def axes_of(node, axes):
    return node.get("axes") if axes is None else numbers(axes)


def squeeze(node, x, axes=None):
    axes = axes_of(node, axes) or [i for i, length in enumerate(x.shape) if length == 1]
    for axis in sorted((axis % x.dim() for axis in axes), reverse=True):
        x = x.squeeze(axis)
    return x


def unsqueeze(node, x, axes=None):
    axes = axes_of(node, axes)
    for axis in sorted(axis % (x.dim() + len(axes)) for axis in axes):
        x = x.unsqueeze(axis)
    return x


def mean(node, x, axes=None):
    return x.mean(axes_of(node, axes) or list(range(x.dim())), bool(node.get("keepdims", 1)))


def constant(node):
    return torch.from_numpy(numpy_helper.to_array(node["value"]).copy())


def constant_of_shape(node, shape):
    value = constant(node) if "value" in node else torch.zeros(1)
    return value.expand(numbers(shape)).contiguous() if shape.numel() else value.reshape([])


def split(node, x, lengths=None):
    lengths = node.get("split") if lengths is None else numbers(lengths)
    axis = node.get("axis", 0)
    return torch.split(x, lengths or -(-int(x.shape[axis]) // node.results), axis)


def slice_(node, x, starts=None, stops=None, axes=None, steps=None):
    starts = node["starts"] if starts is None else numbers(starts)
    stops = node["ends"] if stops is None else numbers(stops)
    axes = axes_of(node, axes) or list(range(len(starts)))
    for axis, start, stop, step in zip(axes, starts, stops, numbers(steps) if steps is not None else [1] * len(axes)):
        if step < 1:
            raise NotImplementedError("Slice with a step below 1")
        begin, end, _ = slice(start, stop, step).indices(int(x.shape[axis]))
        x = x[(slice(None),) * (axis % x.dim()) + (slice(begin, end, step),)]
    return x


def gather(node, x, at):
    axis = node.get("axis", 0) % x.dim()
    at = torch.where(at < 0, at + x.shape[axis], at)
    picked = x.index_select(axis, at.flatten())
    return picked.reshape([*x.shape[:axis], *at.shape, *x.shape[axis + 1 :]])


def one_of(function):
    return lambda node, x: function(x)


def two_of(function):
    return lambda node, x, y: function(x, y)


OPERATORS = {
    "Add": two_of(torch.add),
    "AveragePool": average_pool,
    "BatchNormalization": batch_norm,
    "Cast": lambda node, x: x.to(TYPES[node["to"]]),
    "Clip": clip,
    "Concat": lambda node, *x: torch.cat(x, node["axis"]),
    "Constant": constant,
    "ConstantOfShape": constant_of_shape,
    "Conv": conv,
    "Div": two_of(torch.div),
    "Dropout": lambda node, x, *_: x,
    "Elu": lambda node, x: F.elu(x, node.get("alpha", 1.0)),
    "Exp": one_of(torch.exp),
    "Flatten": flatten,
    "Gather": gather,
    "Gemm": gemm,
    "GlobalAveragePool": lambda node, x: x.mean(list(range(2, x.dim())), True),
    "GlobalMaxPool": lambda node, x: x.amax(list(range(2, x.dim())), True),
    "HardSigmoid": lambda node, x: torch.clamp(node.get("alpha", 0.2) * x + node.get("beta", 0.5), 0.0, 1.0),
    "HardSwish": one_of(F.hardswish),
    "Identity": one_of(lambda x: x),
    "LRN": lambda node, x: F.local_response_norm(
        x, node["size"], node.get("alpha", 1e-4), node.get("beta", 0.75), node.get("bias", 1.0)),
    "LeakyRelu": lambda node, x: F.leaky_relu(x, node.get("alpha", 0.01)),
    "MatMul": two_of(torch.matmul),
    "MaxPool": max_pool,
    "Mul": two_of(torch.mul),
    "PRelu": lambda node, x, slope: torch.where(x < 0, slope * x, x),
    "Pow": two_of(torch.pow),
    "ReduceMean": mean,
    "Relu": one_of(torch.relu),
    "Reshape": reshape,
    "Shape": lambda node, x: torch.tensor(x.shape),
    "Sigmoid": one_of(torch.sigmoid),
    "Slice": slice_,
    "Softmax": softmax,
    "Split": split,
    "Sqrt": one_of(torch.sqrt),
    "Squeeze": squeeze,
    "Sub": two_of(torch.sub),
    "Sum": lambda node, *x: sum(x),
    "Tanh": one_of(torch.tanh),
    "Transpose": lambda node, x: x.permute(node.get("perm", list(range(x.dim()))[::-1])),
    "Unsqueeze": unsqueeze,
}


class Node(dict):
    """An operator's attributes, and what it takes and gives."""

    def __init__(self, node, version):
        super().__init__((a.name, onnx.helper.get_attribute_value(a)) for a in node.attribute)
        if node.domain not in ("", "ai.onnx") or node.op_type not in OPERATORS:
            raise NotImplementedError(f"operator {node.op_type} is not known here")
        self.function, self.version = OPERATORS[node.op_type], version
        self.inputs, self.outputs = node.input, node.output
        self.results = len(node.output)


class Graph(torch.nn.Module):
    def __init__(self, model):
        super().__init__()
        version = max(entry.version for entry in model.opset_import if entry.domain in ("", "ai.onnx"))
        self.nodes = [Node(node, version) for node in model.graph.node]
        self.weights = {w.name: torch.from_numpy(numpy_helper.to_array(w).copy()) for w in model.graph.initializer}
        self.names = [value.name for value in model.graph.input if value.name not in self.weights]
        self.results = [value.name for value in model.graph.output]

    def forward(self, *inputs):
        values = {"": None, **self.weights, **dict(zip(self.names, inputs))}
        for node in self.nodes:
            results = node.function(node, *[values[name] for name in node.inputs])
            results = results if isinstance(results, (tuple, list)) else [results]
            values.update(zip(node.outputs, results))
        return tuple(values[name] for name in self.results)


class Net:
    """A graph, what runs it, and what goes in."""

    def __init__(self, path, threads):
        torch.set_num_threads(threads)
        self.graph = Graph(onnx.load(path)).eval()
        self.program, self.inputs = None, []


def give(way):
    """The first inputs are what a script is traced with."""

    def to(net, inputs):
        net.inputs = [torch.from_numpy(inputs[name].copy()) for name in net.graph.names]
        if net.program is None:
            net.program = net.graph if way == "eager" else script(net)

    return to


@torch.no_grad()
def script(net):
    traced = torch.jit.trace(net.graph, net.inputs, check_trace=False)
    return torch.jit.optimize_for_inference(torch.jit.freeze(traced))


@torch.no_grad()
def run(net, names):
    values = dict(zip(net.graph.results, net.program(*net.inputs)))
    return [values[name] for name in names]


def take(_, results):
    return [numpy.ascontiguousarray(elements.float().numpy()) for elements in results]


def main():
    way = sys.argv[1] if len(sys.argv) > 1 else WAYS[0]
    if way not in WAYS:
        sys.exit(f"no way '{way}': {', '.join(WAYS)}")
    beside.answer(f"pytorch {torch.__version__} {way}", Net, give(way), run, take)


main()

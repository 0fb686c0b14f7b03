# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs an ONNX file with ONNX Runtime for `arenabench run MODEL.onnx --beside onnxruntime`.

Its library alone is loaded, by the C interface; ./fetch_data npm fetches it.  The word behind the
program's name is how much it may change the graph: none, basic, extended (merged operators, plain
layouts), or all (blocked layouts too), which is its own default.
"""

import ctypes
import os
import platform
import sys


def library():
    name = f"npm/onnxruntime-{platform.machine()}.so"
    data = os.environ.get("ARENABENCH_DATA", os.path.join(os.path.dirname(__file__), "..", "data"))
    path = os.environ.get("ARENABENCH_ONNXRUNTIME") or (data and os.path.join(data, name))
    if not os.path.isfile(path):
        sys.exit(f"{path or name} is not there (./fetch_data {name})")
    try:
        return ctypes.CDLL(os.path.abspath(path))
    except OSError as failure:
        sys.exit(str(failure))


LIBRARY = library()  # first of all: another Python would not have it either

try:
    import numpy
except ImportError as failure:
    sys.exit(f"{failure} (Debian has it in python3-numpy)")

import beside

# Places in the table of functions (OrtApi in onnxruntime_c_api.h), which grows at its end only.
FUNCTIONS = {
    "GetErrorMessage": 2,
    "CreateEnv": 3,
    "DisableTelemetryEvents": 6,
    "CreateSession": 7,
    "Run": 9,
    "CreateSessionOptions": 10,
    "SetSessionGraphOptimizationLevel": 23,
    "SetIntraOpNumThreads": 24,
    "SetInterOpNumThreads": 25,
    "CreateTensorWithDataAsOrtValue": 49,
    "GetTensorMutableData": 51,
    "GetTensorElementType": 60,
    "GetTensorShapeElementCount": 64,
    "GetTensorTypeAndShape": 65,
    "CreateCpuMemoryInfo": 69,
    "ReleaseValue": 96,
    "ReleaseTensorTypeAndShapeInfo": 99,
}
LEVELS = {"none": 0, "basic": 1, "extended": 2, "all": 99}
KINDS = ["", "<f4", "|u1", "|i1", "<u2", "<i2", "<i4", "<i8", "", "|b1", "<f2", "<f8", "<u4", "<u8"]
ERRORS_ONLY = 3  # of what it logs
ARENA = 0  # memory of a tensor: the library's arena, by default


class Base(ctypes.Structure):
    _fields_ = [
        ("GetApi", ctypes.CFUNCTYPE(ctypes.POINTER(ctypes.c_void_p), ctypes.c_uint32)),
        ("GetVersionString", ctypes.CFUNCTYPE(ctypes.c_char_p)),
    ]


def function(api, name, result=ctypes.c_void_p):
    return ctypes.CFUNCTYPE(result)(api[FUNCTIONS[name]])


class Net:
    """A model that was read, and what goes in and comes out of it.  Numbers go to C as they are,
    each of them in a type that says its size."""

    def __init__(self, api):
        self.api = api
        self.message = function(api, "GetErrorMessage", ctypes.c_char_p)
        self.run = function(api, "Run")
        self.session = ctypes.c_void_p()
        self.memory = self.make("CreateCpuMemoryInfo", ctypes.c_int(ARENA), ctypes.c_int(0))
        self.inputs, self.results = {}, None

    def check(self, status):
        if status:
            raise RuntimeError(self.message(ctypes.c_void_p(status)).decode(errors="replace"))

    def call(self, name, *arguments):
        self.check(function(self.api, name)(*arguments))

    def make(self, name, *arguments, kind=ctypes.c_void_p):
        made = kind()
        self.call(name, *arguments, ctypes.byref(made))
        return made

    def release(self, name, thing):
        function(self.api, name, None)(thing)


def read(api, level):
    def open_model(path, threads):
        net = Net(api)
        env = net.make("CreateEnv", ctypes.c_int(ERRORS_ONLY), b"arenabench")
        net.call("DisableTelemetryEvents", env)
        options = net.make("CreateSessionOptions")
        net.call("SetSessionGraphOptimizationLevel", options, ctypes.c_int(LEVELS[level]))
        net.call("SetIntraOpNumThreads", options, ctypes.c_int(threads))
        net.call("SetInterOpNumThreads", options, ctypes.c_int(1))
        net.session = net.make("CreateSession", env, os.fsencode(path), options)
        return net

    return open_model


def tensor(net, elements):
    """It reads the elements where they are."""
    shape = (ctypes.c_int64 * elements.ndim)(*elements.shape)
    kind = KINDS.index(elements.dtype.str)
    size, rank = ctypes.c_size_t(elements.nbytes), ctypes.c_size_t(elements.ndim)
    data = ctypes.c_void_p(elements.ctypes.data)
    return net.make("CreateTensorWithDataAsOrtValue", net.memory, data, size, shape, rank, ctypes.c_int(kind))


def names_of(names):
    return (ctypes.c_char_p * len(names))(*[name.encode(errors="surrogateescape") for name in names])


def give(net, inputs):
    for value in net.results or []:
        net.release("ReleaseValue", ctypes.c_void_p(value))
    net.results = None
    if not net.inputs:  # never written to, and so as good as new later
        net.inputs = {name: tensor(net, elements) for name, elements in inputs.items()}
        net.names = names_of(list(inputs))
        net.values = (ctypes.c_void_p * len(inputs))(*[value.value for value in net.inputs.values()])


def run(net, names):
    net.results = (ctypes.c_void_p * len(names))()
    count = ctypes.c_size_t(len(net.values)), ctypes.c_size_t(len(names))
    net.check(net.run(net.session, None, net.names, net.values, count[0], names_of(names), count[1], net.results))


def take(net, _):
    """The elements of the last round."""
    for value in map(ctypes.c_void_p, net.results):
        about = net.make("GetTensorTypeAndShape", value)
        count = net.make("GetTensorShapeElementCount", about, kind=ctypes.c_size_t).value
        kind = KINDS[net.make("GetTensorElementType", about, kind=ctypes.c_int).value]
        net.release("ReleaseTensorTypeAndShapeInfo", about)
        data = net.make("GetTensorMutableData", value).value
        yield numpy.frombuffer(ctypes.string_at(data, count * numpy.dtype(kind).itemsize), kind)


def main():
    level = sys.argv[1] if len(sys.argv) > 1 else "all"
    if level not in LEVELS:
        sys.exit(f"no level '{level}': {', '.join(LEVELS)}")
    entry = LIBRARY.OrtGetApiBase
    entry.restype = ctypes.POINTER(Base)
    base = entry().contents
    api = base.GetApi(1)
    beside.answer(f"onnxruntime {base.GetVersionString().decode()} {level}", read(api, level), give, run, take)


main()

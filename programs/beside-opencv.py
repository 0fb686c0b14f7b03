# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs an ONNX file with OpenCV for `arenabench run MODEL.onnx --beside opencv`."""

import sys

try:
    import cv2
    import numpy
except ImportError as failure:
    sys.exit(f"{failure} (Debian has it in python3-opencv)")

import beside


class Tensor(numpy.ndarray):
    """Of three dimensions none is a picture's channels, as OpenCV takes it of a plain array."""

    wrap_channels = False


cv2._registerMatType(Tensor)  # what cv2.Mat is, which Debian leaves out


def read(path, threads):
    cv2.setNumThreads(threads)
    net = cv2.dnn.readNetFromONNX(path)
    net.setPreferableBackend(cv2.dnn.DNN_BACKEND_OPENCV)
    net.setPreferableTarget(cv2.dnn.DNN_TARGET_CPU)
    return net


def give(net, inputs):
    for name, elements in inputs.items():
        if elements.dtype != numpy.float32:
            raise TypeError(f"'{name}' is {elements.dtype}: OpenCV takes and gives float32 only")
        net.setInput(elements.view(Tensor), name)


beside.answer(f"opencv {cv2.__version__}", read, give, lambda net, names: net.forward(names))

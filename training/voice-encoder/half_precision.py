"""Stores an ONNX model in half precision."""

import numpy as np
import onnx
from onnx import numpy_helper


def to_half_precision(path, target):
    model = onnx.load(path)
    for tensor in model.graph.initializer:
        array = numpy_helper.to_array(tensor)
        if array.dtype == np.float32 and array.size > 16:
            tensor.CopyFrom(numpy_helper.from_array(array.astype(np.float16), tensor.name))
    onnx.save(model, target)

"""The weights of Kokoro in 8 bits (`kokoro-q8`) as floats, in the graph of Kokoro in float32."""

import numpy as np
import onnx
from onnx import numpy_helper


def zero_points(graph):
    """The name of the zero point of each quantized weight."""
    found = {}
    for node in graph.node:
        if node.op_type in ("MatMulInteger", "ConvInteger"):
            found[node.input[1]] = node.input[3]
        elif node.op_type == "DynamicQuantizeLSTM":
            found.update({node.input[1]: node.input[9], node.input[2]: node.input[11]})
    return found


def dequantized(exact_path, coarse_path):
    """-> the model of `exact_path` with the quantized weights of `coarse_path`; the embeddings keep float32."""
    model, coarse = onnx.load(exact_path), onnx.load(coarse_path).graph
    stored, zeros = {tensor.name: numpy_helper.to_array(tensor) for tensor in coarse.initializer}, zero_points(coarse)
    for tensor in model.graph.initializer:
        # The weights of PL-BERT, which are used twelve times, have a number after their name.
        base = next((base for base in (tensor.name, tensor.name + "_3") if base + "_quantized" in zeros), None)
        if base is None:
            continue
        name = base + "_quantized"
        scale, zero = stored[base + "_scale"], stored[zeros[name]]
        if stored[name].ndim == 3 and scale.ndim == 1:  # convolutions have one scale; recurrent layers have one for each direction
            scale, zero = scale[:, None, None], zero[:, None, None]
        weights = ((stored[name].astype(np.float32) - zero) * scale).astype(np.float32)
        shape = tuple(tensor.dims)
        if weights.shape != shape:
            weights = weights.swapaxes(-1, -2)
        assert weights.shape == shape, tensor.name
        tensor.CopyFrom(numpy_helper.from_array(np.ascontiguousarray(weights), tensor.name))
    return model

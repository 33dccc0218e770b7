"""Writes the reader as ONNX: products of matrices in eight bits, other large weights in float16.

  python export.py READER.pt OUT.onnx
"""

import io
import os
import sys

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper

from reader import Engine, load
from quantise import QuantLinear, to_integers

NAMES = {"sounds": "/encoder/MatMul_1_output_0", "pitch": "/encoder/Reshape_output_0", "energy": "/encoder/Reshape_1_output_0", "counts": "/encoder/Clip_output_0"}


def to_onnx(reader, coarse=True):
    """`coarse`: with whole numbers. They must have been learned."""
    buffer = io.BytesIO()
    example = (torch.randint(1, 170, (1, 30)), torch.randn(1, 256) * 0.1, torch.ones(1))
    axes = {"input_ids": {1: "tokens"}, "sounds": {2: "frames"}, "pitch": {1: "half_frames"}, "energy": {1: "half_frames"}, "counts": {1: "tokens"}}
    engine = Engine(reader).eval()
    for module in engine.modules():
        if isinstance(module, QuantLinear):
            module.learn = False
    torch.onnx.export(engine, example, buffer, input_names=["input_ids", "style", "speed"], output_names=list(NAMES), dynamic_axes=axes, opset_version=18, dynamo=False)
    model = onnx.load_from_string(buffer.getvalue())
    if coarse:
        layers = {name: module for name, module in reader.named_modules() if isinstance(module, QuantLinear)}

        def named(node):
            scope = node.name.strip("/").rsplit("/", 1)[0].replace("/", ".")
            return layers.get(scope) if node.op_type == "MatMul" else None

        to_integers(model.graph, named)
        model.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    return slim(model)


def slim(model):
    casts = []
    for tensor in model.graph.initializer:
        array = numpy_helper.to_array(tensor)
        if array.dtype == np.float32 and array.size > 4096:
            name = tensor.name
            tensor.CopyFrom(numpy_helper.from_array(array.astype(np.float16), name + ".half"))
            casts.append(helper.make_node("Cast", [name + ".half"], [name], to=TensorProto.FLOAT))
    for node in reversed(casts):
        model.graph.node.insert(0, node)
    return model


def main(weights, out):
    reader = load(weights).eval()
    model = to_onnx(reader)
    onnx.save(model, out)
    print("bytes", os.path.getsize(out), "integer products", sum(node.op_type == "MatMulIntegerToFloat" for node in model.graph.node), "of", sum(isinstance(m, QuantLinear) for m in reader.modules()))


if __name__ == "__main__":
    main(*sys.argv[1:])

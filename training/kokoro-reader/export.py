"""Writes the reader's BERT as ONNX: matrix products in 8 bits, other large weights in float16.

  python export.py READER.pt OUT.onnx
"""

import io
import os
import sys

import onnx
import torch
from onnx import helper

from reader import BertEngine, load
from quantise import QuantLinear, slim, to_integers


def to_onnx(bert):
    buffer = io.BytesIO()
    axes = {"input_ids": {1: "tokens"}, "known": {1: "tokens"}}
    engine = BertEngine(bert).eval()
    layers = {name: module for name, module in engine.named_modules() if isinstance(module, QuantLinear)}
    for layer in layers.values():
        layer.learn = False
    torch.onnx.export(engine, (torch.randint(1, 170, (1, 30)),), buffer, input_names=["input_ids"], output_names=["known"], dynamic_axes=axes, opset_version=18, dynamo=False)
    model = onnx.load_from_string(buffer.getvalue())

    def named(node):
        scope = node.name.strip("/").rsplit("/", 1)[0].replace("/", ".")
        return layers.get(scope) if node.op_type == "MatMul" else None

    to_integers(model.graph, named)
    model.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    return slim(model, 4096)


def main(weights, out):
    model = to_onnx(load(weights).eval())
    onnx.save(model, out)
    print("bytes", os.path.getsize(out), "integer products", sum(node.op_type == "MatMulIntegerToFloat" for node in model.graph.node))


if __name__ == "__main__":
    main(*sys.argv[1:])

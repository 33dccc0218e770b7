"""Restores a checkpoint from the exported network, to continue training. The weights are those of 8 bits.

  python checkpoint.py BERT.onnx READER.pt
"""

import sys

import onnx
import torch
from onnx import numpy_helper

from reader import Bert
from quantise import QuantLinear


def checkpoint_of(path):
    stored = {tensor.name: torch.tensor(numpy_helper.to_array(tensor)) for tensor in onnx.load(path).graph.initializer}
    quantized = {name for name, module in Bert().named_modules() if isinstance(module, QuantLinear)}
    weights = {}
    for name in Bert().state_dict():
        layer, _, key = name.rpartition(".")
        scope, _, own = layer.rpartition(".")
        product = "/".join(part for part in ("/bert", scope, own, "MatMul_output_0") if part)
        if layer in quantized and key == "weight":
            weights[name] = (stored[product + ".weight"].float() * stored[product + ".scale"]).T.contiguous()
        elif layer in quantized and key == "log_step":
            weights[name] = stored[product + ".step"].log()
        else:
            full = f"bert.{name}"
            weights[name] = stored[full] if full in stored else stored[full + ".half"].float()
    return weights


if __name__ == "__main__":
    torch.save(checkpoint_of(sys.argv[1]), sys.argv[2])

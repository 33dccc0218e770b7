"""Reads the weights from student.onnx, to continue training from the student in the repository.

  python import_onnx.py STUDENT.onnx STUDENT.pt
"""

import sys

import numpy as np
import onnx
import torch
from onnx import numpy_helper

import student as st


def weights_of(path):
    graph = onnx.load(path).graph
    stored = {tensor.name.removesuffix(".half"): numpy_helper.to_array(tensor) for tensor in graph.initializer}
    found = {name.removeprefix("model."): array for name, array in stored.items() if name.startswith("model.")}
    # The exporter drops the names of the weights of linear layers; their nodes keep the names of the layers.
    for node in graph.node:
        if node.op_type in ("MatMul", "Gemm") and node.input[1] in stored:
            layer = node.name.strip("/").removeprefix("model/").rsplit("/", 1)[0].replace("/", ".")
            layer = layer.replace("condition.condition.", "condition.")
            array = stored[node.input[1]]
            transposed = node.op_type == "MatMul" or not any(a.name == "transB" and a.i for a in node.attribute)
            found[f"{layer}.weight"] = array.T if transposed else array
        if node.op_type == "MatMulIntegerToFloat":
            layer = node.output[0].strip("/").removeprefix("model/").rsplit("/", 1)[0].replace("/", ".")
            _, weight, step, scale, _ = (stored.get(name) for name in node.input)
            found[f"{layer}.weight"] = (weight * scale).T
            found[f"{layer}.log_step"] = np.log(step)
    return {name: torch.from_numpy(np.ascontiguousarray(found[name])).half() for name in st.Student().state_dict() if name in found}


if __name__ == "__main__":
    torch.save(weights_of(sys.argv[1]), sys.argv[2])

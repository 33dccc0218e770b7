"""Writes a trained encoder as ONNX: `heard` [1, 129], the x-vector (of length 1) and log2 of the pitch over 160 Hz (NaN where it is
not known), to `voice` [1, 512].

  python export.py ENCODER.onnx ENCODER.pt...

Of several, one that went on from the other, the mean of their weights is taken: it is right where one of them is wrong.
"""

import sys

import torch
from encoder import Encoder


def main(target, *paths):
    states = [torch.load(path, map_location="cpu") for path in paths]
    state = {name: sum(state[name] for state in states) / len(states) for name in states[0]}
    heard = torch.full((1, state["usual"].shape[0]), 0.1)
    torch.onnx.export(Encoder.of(state), (heard,), target, input_names=["heard"], output_names=["voice"], opset_version=17, **exporter())
    print(f"{sum(value.numel() for value in state.values())} numbers")


def exporter():
    """The exporter that needs nothing else installed, in newer versions too."""
    return {"dynamo": False} if torch.__version__ >= "2.5" else {}


if __name__ == "__main__":
    main(*sys.argv[1:])

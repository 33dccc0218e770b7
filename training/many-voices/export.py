"""Writes the voice encoder and the second judge as ONNX.

  python export.py ENCODER.pt JUDGE.pt OUT_FOLDER

encoder.onnx: `heard` [n, 129] (x-vector of length 1, log2 of the pitch in Hz) -> `voice` [n, 128], the student's style.
judge.onnx: `features` [n, 40, frames] (log-mel bands without their mean, see judge.py) -> `vector` [n, 128].
"""

import os
import sys

import torch

from encoder import HEARD, VoiceEncoder
from judge import BANDS, Judge


class OfBands(torch.nn.Module):
    def __init__(self, judge):
        super().__init__()
        self.judge = judge

    def forward(self, features):
        return self.judge.of_bands(features)


def write(model, example, path, names, axes):
    torch.onnx.export(model.eval(), (example,), path, input_names=[names[0]], output_names=[names[1]], dynamic_axes=axes, opset_version=18, dynamo=False)
    print(path, os.path.getsize(path), "bytes")


def main(encoder_path, judge_path, out):
    os.makedirs(out, exist_ok=True)
    load = lambda path: {key: value.float() if value.is_floating_point() else value for key, value in torch.load(path, map_location="cpu", weights_only=True).items()}
    encoder, judge = VoiceEncoder(), Judge()
    encoder.load_state_dict(load(encoder_path))
    judge.load_state_dict(load(judge_path))
    write(encoder, torch.zeros(1, HEARD), os.path.join(out, "encoder.onnx"), ("heard", "voice"), {"heard": {0: "n"}, "voice": {0: "n"}})
    write(OfBands(judge), torch.zeros(1, BANDS, 200), os.path.join(out, "judge.onnx"), ("features", "vector"), {"features": {0: "n", 2: "frames"}, "vector": {0: "n"}})


if __name__ == "__main__":
    main(*sys.argv[1:])

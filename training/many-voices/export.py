"""Writes the voice encoder and speaker networks as ONNX, and the offsets of the languages.

  python export.py RUN_FOLDER INPUT_NETWORK.pt JUDGE.pt OUT_FOLDER [REFINEMENT_NETWORK.pt ...]

encoder.onnx: `speaker` [n, 257] (x-vector of length 1, log2 of the pitch in Hz, vector of the speaker network) -> `voice` [n, 128], the student's style.
language-offsets.bin: 128 numbers (float32) for each of encoder.LANGUAGES, which are added to that style in the language.
speaker-network.onnx, whose vector is part of the encoder's input, judge.onnx, which is bench/clone/speaker-network.onnx, and refinement-KIND.onnx for each of the further networks:
`features` [n, 40, frames] (log-mel bands without their mean, see speaker_network.py) -> `vector` [n, 128].
"""

import os
import sys

import onnx
import torch

import paths  # noqa: F401  adds the other folders to the import path
from encoder import FEATURES, NETWORK, XVECTOR, LanguageOffsets, VoiceEncoder
from quantise import slim
from speaker_network import BANDS, load_network

#: The two vectors of the input are multiplied by these. Inputs in training are those of single noisy clips, so the encoder learned to stay near the
#: usual voice; the mean of several recordings is more certain. See the README of the voice encoder for what they change.
GAINS = ((XVECTOR, 1.15), (NETWORK, 1.25))


class BandsInterface(torch.nn.Module):
    def __init__(self, speaker_network):
        super().__init__()
        self.speaker_network = speaker_network

    def forward(self, features):
        return self.speaker_network.of_bands(features)


def write(model, example, path, names, axes):
    torch.onnx.export(model.eval(), (example,), path, input_names=[names[0]], output_names=[names[1]], dynamic_axes=axes, opset_version=18, dynamo=False)
    print(path, os.path.getsize(path), "bytes")


@torch.no_grad()
def with_gains(encoder, sign=1):
    """The same network, whose input has vectors of length 1 instead of their gains; with `sign` -1 the reverse."""
    for values in (encoder.usual, encoder.scale):
        for part, gain in GAINS:
            values[part] /= gain**sign
    return encoder


def write_offsets(offsets, encoder, path):
    rows = (offsets.table[1:] * encoder.spread).detach().numpy().astype("<f4")
    rows.tofile(path)
    print(path, rows.shape)


def write_network(weights, path):
    write(BandsInterface(load_network(weights)), torch.zeros(1, BANDS, 200), path, ("features", "vector"), {"features": {0: "n", 2: "frames"}, "vector": {0: "n"}})
    onnx.save(slim(onnx.load(path), 1000), path)


def main(run, input_network, judge, out, *refinement_networks):
    os.makedirs(out, exist_ok=True)
    load = lambda path: {key: value.float() if value.is_floating_point() else value for key, value in torch.load(path, map_location="cpu", weights_only=True).items()}
    encoder, offsets = VoiceEncoder(), LanguageOffsets()
    encoder.load_state_dict(load(os.path.join(run, "encoder.pt")))
    offsets.load_state_dict(load(os.path.join(run, "offsets.pt")))
    write_offsets(offsets, encoder, os.path.join(out, "language-offsets.bin"))
    write(with_gains(encoder), torch.zeros(1, FEATURES), os.path.join(out, "encoder.onnx"), ("speaker", "voice"), {"speaker": {0: "n"}, "voice": {0: "n"}})
    write_network(input_network, os.path.join(out, "speaker-network.onnx"))
    write_network(judge, os.path.join(out, "judge.onnx"))
    for weights in refinement_networks:
        kind = os.path.splitext(os.path.basename(weights))[0]
        write_network(weights, os.path.join(out, f"refinement-{kind}.onnx"))


if __name__ == "__main__":
    main(*sys.argv[1:])

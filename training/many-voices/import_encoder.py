"""Reads the weights of the voice encoder in the repository, to continue its training: the reverse of export.py.

  python import_encoder.py ../../packages/speech/assets/voice-encoder OUT_FOLDER

Writes encoder.pt and offsets.pt.
"""

import os
import sys

import numpy as np
import onnx
import torch
from onnx import numpy_helper

from encoder import STYLE, LanguageOffsets, VoiceEncoder
from export import with_gains


def main(assets, out):
    graph = onnx.load(os.path.join(assets, "encoder.onnx")).graph
    stored = {tensor.name: torch.tensor(numpy_helper.to_array(tensor)) for tensor in graph.initializer}
    # Both biases of the output start from zero and have the same gradient, so the exporter stores one of them.
    stored.setdefault("deep.6.bias", stored["linear.bias"])
    encoder = VoiceEncoder()
    encoder.load_state_dict(stored)
    offsets = LanguageOffsets()
    rows = np.fromfile(os.path.join(assets, "language-offsets.bin"), "<f4").reshape(-1, STYLE)
    with torch.no_grad():
        offsets.table[1:] = torch.tensor(rows) / encoder.spread
    torch.save(with_gains(encoder, -1).state_dict(), os.path.join(out, "encoder.pt"))
    torch.save(offsets.state_dict(), os.path.join(out, "offsets.pt"))


if __name__ == "__main__":
    os.makedirs(sys.argv[2], exist_ok=True)
    main(*sys.argv[1:])

"""Reads the weights of a speaker network in the repository: the reverse of export.py.

  python import_network.py NETWORK.onnx KIND.pt      KIND: see speaker_network.py
"""

import os
import sys

import onnx
import torch
from onnx import numpy_helper

from speaker_network import KINDS


def main(path, out):
    stored = {tensor.name.removesuffix(".half").removeprefix("speaker_network."): torch.tensor(numpy_helper.to_array(tensor)) for tensor in onnx.load(path).graph.initializer}
    network = KINDS[os.path.splitext(os.path.basename(out))[0]]()
    # Its own are constants: the mel bands, the window, and counts of batch normalization.
    unknown = network.load_state_dict({key: value.float() for key, value in stored.items()}, strict=False).missing_keys
    if any(key not in ("bank", "window") and not key.endswith("num_batches_tracked") for key in unknown):
        raise SystemExit(f"{path} does not have {unknown}")
    torch.save(network.state_dict(), out)


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Packs the weights of a reader in 8 bits, and unpacks them to continue training.

  python checkpoint.py pack READER.pt READER.npz
  python checkpoint.py unpack READER.npz READER.pt
"""

import sys

import numpy as np
import torch

import reader  # noqa: F401  adds the folder of packing.py to the path
from packing import pack_rows, unpack_rows


def pack(path, out):
    arrays = {}
    for name, value in torch.load(path, map_location="cpu", weights_only=True).items():
        array = value.float().numpy()
        if array.ndim > 1 and array.size > 4096:
            arrays[name], arrays[name + "#shape"] = np.frombuffer(pack_rows(array, 8), np.uint8), np.array(array.shape)
        else:
            arrays[name] = array
    np.savez(out, **arrays)


def unpack(path, out):
    stored = np.load(path)
    names = [name for name in stored.files if not name.endswith("#shape")]
    weights = {name: unpack_rows(stored[name].tobytes(), tuple(stored[name + "#shape"]), 8) if name + "#shape" in stored.files else stored[name] for name in names}
    torch.save({name: torch.from_numpy(np.array(value)) for name, value in weights.items()}, out)


if __name__ == "__main__":
    {"pack": pack, "unpack": unpack}[sys.argv[1]](*sys.argv[2:])

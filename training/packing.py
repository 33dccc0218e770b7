"""Compact storage of weights, so that they can be copied to the training machine."""

import zlib

import numpy as np


def pack_rows(array, bits):
    """Values of 8 or 12 bits with a scale for each row. The upper eight bits are Huffman-coded."""
    rows = array.reshape(array.shape[0], -1)
    largest = 2 ** (bits - 1) - 1
    scale = np.maximum(np.abs(rows).max(1), 1e-12).astype(np.float32) / largest
    integers = (np.round(rows / scale[:, None]).astype(np.int32) + largest + 1).ravel()
    coder = zlib.compressobj(9, strategy=zlib.Z_HUFFMAN_ONLY)
    upper = coder.compress((integers >> (bits - 8)).astype(np.uint8).tobytes()) + coder.flush()
    lower = b""
    if bits == 12:
        nibbles = np.append(integers & 15, 0)[: integers.size + integers.size % 2]
        lower = (nibbles[0::2] | (nibbles[1::2] << 4)).astype(np.uint8).tobytes()
    return scale.tobytes() + len(upper).to_bytes(4, "little") + upper + lower


def unpack_rows(blob, shape, bits):
    rows, size, largest = shape[0], int(np.prod(shape)), 2 ** (bits - 1) - 1
    scale = np.frombuffer(blob, np.float32, rows)
    start = rows * 4 + 4
    end = start + int.from_bytes(blob[rows * 4 : start], "little")
    integers = np.frombuffer(zlib.decompress(blob[start:end]), np.uint8).astype(np.int32)
    if bits == 12:
        packed = np.frombuffer(blob, np.uint8, offset=end).astype(np.int32)
        integers = (integers << 4) | np.stack([packed & 15, packed >> 4], 1).ravel()[:size]
    return ((integers - largest - 1).reshape(rows, -1) * scale[:, None]).astype(np.float32).reshape(shape)

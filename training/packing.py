"""Weights in few bits, to travel."""

import zlib

import numpy as np


def pack_rows(array, bits):
    """Numbers of 8 or 12 bits with a scale for each row; the upper eight bits are unevenly spread, so Huffman codes them."""
    rows = array.reshape(array.shape[0], -1)
    most = 2 ** (bits - 1) - 1
    scale = np.maximum(np.abs(rows).max(1), 1e-12).astype(np.float32) / most
    whole = (np.round(rows / scale[:, None]).astype(np.int32) + most + 1).ravel()
    coder = zlib.compressobj(9, strategy=zlib.Z_HUFFMAN_ONLY)
    upper = coder.compress((whole >> (bits - 8)).astype(np.uint8).tobytes()) + coder.flush()
    lower = b""
    if bits == 12:
        nibbles = np.append(whole & 15, 0)[: whole.size + whole.size % 2]
        lower = (nibbles[0::2] | (nibbles[1::2] << 4)).astype(np.uint8).tobytes()
    return scale.tobytes() + len(upper).to_bytes(4, "little") + upper + lower


def unpack_rows(blob, shape, bits):
    rows, size, most = shape[0], int(np.prod(shape)), 2 ** (bits - 1) - 1
    scale = np.frombuffer(blob, np.float32, rows)
    start = rows * 4 + 4
    end = start + int.from_bytes(blob[rows * 4 : start], "little")
    whole = np.frombuffer(zlib.decompress(blob[start:end]), np.uint8).astype(np.int32)
    if bits == 12:
        packed = np.frombuffer(blob, np.uint8, offset=end).astype(np.int32)
        whole = (whole << 4) | np.stack([packed & 15, packed >> 4], 1).ravel()[:size]
    return ((whole - most - 1).reshape(rows, -1) * scale[:, None]).astype(np.float32).reshape(shape)

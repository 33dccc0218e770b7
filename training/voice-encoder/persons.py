"""The split of the recorded people into training and evaluation, and the factors of resampling."""

import zlib

from listener import CLIP_RATE

CLIP = 5 * CLIP_RATE
#: Range of resampling factors. Resampling shifts formants and pitch together, which gives another speaker.
WARPS = (0.87, 1.15)


def is_held(name):
    """Whether a speaker is for evaluation only: every fifth of the people."""
    folder, person = name.split("/")
    return folder == "people" and zlib.crc32(person.encode()) % 5 == 0

"""The split of the recorded people into training and evaluation, and the factors of resampling."""

import zlib

from speaker_features import CLIP_RATE

CLIP_SAMPLES = 5 * CLIP_RATE
#: Range of resampling factors. Resampling shifts formants and pitch together, which gives another speaker.
RESAMPLING_RANGE = (0.82, 1.22)


def is_held_out(name):
    """Whether a speaker is for evaluation only: every fifth of the people."""
    folder, person = name.split("/")
    return folder == "people" and zlib.crc32(person.encode()) % 5 == 0

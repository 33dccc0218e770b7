"""Which people are learned from, and how clips of them are changed."""

import zlib

from listener import CLIP_RATE

CLIP = 5 * CLIP_RATE
#: A tape that runs faster or slower makes another person of somebody: throat and pitch change together.
WARPS = (0.87, 1.15)


def is_held(name):
    """Whether somebody is for evaluation only: every fifth of the people."""
    folder, person = name.split("/")
    return folder == "people" and zlib.crc32(person.encode()) % 5 == 0

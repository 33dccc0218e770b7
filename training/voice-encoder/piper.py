"""Constants of Piper's flow and decoder, and the class that runs them in torch."""

import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from onnx_in_torch import Graph

RATE = 22_050
#: Frames of an excerpt, 3.3 s: all items of a batch have one length.
FRAMES = 288
NOISE = 0.333

"""What Piper's sound half needs in torch."""

import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from onnx_in_torch import Graph

RATE = 22_050
#: Frames of a text that are spoken at a time, so that all of a batch are of one length: 3.3 s.
FRAMES = 288
NOISE = 0.333

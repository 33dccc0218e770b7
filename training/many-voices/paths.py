"""Adds the folders of the other trainings to the import path."""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
for folder in ("..", "../kokoro-student", "../kokoro-reader", "../voice-encoder"):
    sys.path.append(os.path.join(HERE, folder))

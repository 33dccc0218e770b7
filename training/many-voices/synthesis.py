"""Synthesis of chunks of the training data."""

import math

import torch

import paths  # noqa: F401  adds the other folders to the import path
import student as st


def synthesize_chunks(student, chunks, index, start, size, style, factor=None):
    features, source, summary = chunks.inputs(index, start, size, student.context, factor)
    noise = (torch.rand(len(index), (size + 4 * st.OVERLAP) * st.HOP, device=style.device) * 2 - 1) * math.sqrt(3)
    return st.synthesize(student(features, torch.cat([style, summary], 1)), source, st.spectra(noise, size + 2 * st.OVERLAP))

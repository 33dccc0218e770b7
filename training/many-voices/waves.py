"""What a student says: waves of chunks of speech."""

import math

import torch

import measure  # which also finds what stands beside this folder
import student as st


def waves_of(student, chunks, index, start, size, style, factor=None):
    features, source, summary = chunks.inputs(index, start, size, student.context, factor)
    noise = (torch.rand(len(index), (size + 4 * st.OVERLAP) * st.HOP, device=style.device) * 2 - 1) * math.sqrt(3)
    return st.synthesize(student(features, torch.cat([style, summary], 1)), source, st.spectra(noise, size + 2 * st.OVERLAP))

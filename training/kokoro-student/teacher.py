"""The decoder half of Kokoro in torch, read from its ONNX file."""

import os
import sys

import numpy as np
import torch

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from onnx_in_torch import Graph, is_host

ASR = "/encoder/MatMul_1_output_0"
PITCH = "/encoder/Reshape_output_0"
ENERGY = "/encoder/Reshape_1_output_0"
DURATIONS = "/encoder/Clip_output_0"


class Teacher(Graph):
    def __init__(self, path, device, stft_matrix):
        """`stft_matrix` is the STFT of onnxruntime as a matrix [20, 22]; see source_transform in pack_teacher.py."""
        super().__init__(path, device)
        self.stft_matrix = torch.tensor(stft_matrix, dtype=torch.float64, device=device)

    @torch.no_grad()
    def __call__(self, asr, pitch, energy, style):
        return super().__call__({ASR: asr, PITCH: pitch, ENERGY: energy, "style": style}, "waveform")

    def run(self, kind, a, attr):
        match kind:
            case "STFT":
                framed = a[0].reshape(a[0].shape[0], -1).unfold(1, int(a[3]), int(a[1]))
                bins = framed.double() @ self.stft_matrix
                return bins.float().reshape(*bins.shape[:2], -1, 2)
            case "ScatterND":
                # Only used here to divide the start of the waveform by the sum of its windows.
                result = a[0].clone()
                index = torch.as_tensor(np.array(a[1]) if is_host(a[1]) else a[1], device=self.device)
                result[tuple(index.unbind(-1))] = torch.as_tensor(a[2], device=self.device)
                return result
        return super().run(kind, a, attr)

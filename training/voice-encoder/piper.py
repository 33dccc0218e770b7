"""Piper's sound half in torch: voices are vectors that can be learned."""

import os
import sys

import numpy as np
import torch

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from onnx_in_torch import Graph

RATE = 22_050
#: Frames of a text that are spoken at a time, so that all of a batch are of one length: 3.3 s.
FRAMES = 288
NOISE = 0.333


class Piper:
    def __init__(self, folder, device):
        self.graph, self.device = Graph(os.path.join(folder, "piper.onnx"), device), device
        stored = np.load(os.path.join(folder, "texts.npz"))
        self.texts = []
        for index in range(len(stored.files) // 3):
            mean, deviation = (torch.tensor(stored[f"{name}{index}"].astype(np.float32), device=device) for name in ("mean", "deviation"))
            for frames in stored[f"frames{index}"]:
                token = np.repeat(np.arange(len(frames)), frames)
                if len(token) >= FRAMES:
                    self.texts.append((mean, deviation, torch.tensor(token, device=device)))
        self.mask = torch.ones(1, 1, FRAMES, device=device)

    def priors(self, count, dice=None):
        """Latents of random stretches of random texts, [count, 192, FRAMES]."""
        result = []
        number = lambda below: int(torch.randint(below, (), generator=dice))
        for _ in range(count):
            mean, deviation, token = self.texts[number(len(self.texts))]
            start = number(len(token) - FRAMES + 1)
            at = token[start : start + FRAMES]
            noise = torch.randn(192, FRAMES, generator=dice, device=self.device if dice is None else "cpu").to(self.device)
            result.append(mean[:, at] + NOISE * deviation[:, at] * noise)
        return torch.stack(result)

    def say(self, voices, priors):
        """[B, 512] -> [B, samples at 22.05 kHz]."""
        inputs = {"/Add_output_0": priors, "/Cast_2_output_0": self.mask, "/emb_g/Gather_output_0": voices}
        return self.graph(inputs, "output").reshape(len(voices), -1)

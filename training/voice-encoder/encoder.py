"""From what a speaker sounds like to the vector with which Piper speaks like that."""

import os

import numpy as np
import torch
from torch import nn

X_SIZE = 128
USUAL_PITCH = 160
RIDGE = 0.1
EXAGGERATION = 1.5


class Speakers:
    """The 904 that Piper was taught: their vectors, and what they sound like."""

    def __init__(self, folder, device):
        read = lambda name, width: torch.tensor(np.fromfile(os.path.join(folder, name), "<f4").reshape(-1, width), device=device)
        heard = read("heard.bin", 2 + X_SIZE)
        self.vectors = read("speakers.bin", 512)[heard[:, 0].long()]
        self.pitch, self.heard = heard[:, 1], heard[:, 2:]
        self.mean = self.vectors.mean(0)
        self.features = features(self.heard, self.pitch)
        directions = torch.linalg.svd(self.vectors - self.mean, full_matrices=False)
        #: Directions in which they differ, each as long as they do.
        self.axes = directions.Vh * (directions.S / len(self.vectors) ** 0.5)[:, None]

    def places(self, vectors, count):
        """Vectors in terms of the first axes."""
        axes = self.axes[:count]
        return (vectors - self.mean) @ (axes / axes.square().sum(1, keepdim=True)).T

    def ridge(self, wanted):
        """The linear map of packages/speech/src/voices/clone/linear-map.ts, to something else about the speakers: (weights, bias)."""
        usual = self.features.mean(0)
        centred, middle = self.features - usual, wanted.mean(0)
        held = centred.T @ centred + torch.eye(centred.shape[1], device=wanted.device) * RIDGE * len(wanted) / centred.shape[1]
        weights = EXAGGERATION * torch.linalg.solve(held, centred.T @ (wanted - middle)).T
        return weights, middle - weights @ usual

    def pitch_of(self):
        """Of a vector, as far as that is linear: (weights, bias) for log2 of Hz."""
        centred = self.vectors - self.mean
        held = centred.T @ centred + torch.eye(512, device=self.mean.device) * 0.02 * len(centred)
        weights = torch.linalg.solve(held, centred.T @ (self.pitch - self.pitch.mean()))
        return weights, self.pitch.mean() - weights @ self.mean


def features(vectors, pitch):
    """x-vectors of length 1, log2 of Hz (NaN where it is not known) -> what the encoder reads."""
    octaves = pitch - np.log2(USUAL_PITCH)
    return torch.cat([vectors, octaves[:, None]], 1)


class Encoder(nn.Module):
    def __init__(self, axes=512, width=1024, dropout=0.1):
        super().__init__()
        size = X_SIZE + 1
        for name, shape in {"usual": (size,), "scale": (size,), "mean": (512,), "axes": (axes, 512)}.items():
            self.register_buffer(name, torch.zeros(shape))
        self.linear = nn.Linear(size, axes)
        self.deep = nn.Sequential(
            nn.Linear(size, width), nn.GELU(), nn.Dropout(dropout), nn.Linear(width, width), nn.GELU(), nn.Dropout(dropout), nn.Linear(width, axes)
        )

    @torch.no_grad()
    def begin(self, speakers):
        """As the linear map; what that misses is learned."""
        self.usual.copy_(speakers.features.mean(0))
        self.scale.copy_(speakers.features.std(0))
        self.mean.copy_(speakers.mean)
        self.axes.copy_(speakers.axes[: len(self.axes)])
        weights, bias = speakers.ridge(speakers.places(speakers.vectors, len(self.axes)))
        self.linear.weight.copy_(weights)
        self.linear.bias.copy_(bias)
        self.deep[-1].weight.zero_()
        self.deep[-1].bias.zero_()
        return self

    @staticmethod
    def of(state):
        """As it was saved."""
        encoder = Encoder(len(state["axes"]), len(state["deep.0.bias"]))
        encoder.load_state_dict(state)
        return encoder.eval()

    def places(self, heard):
        heard = torch.where(heard.isnan(), self.usual, heard)
        return self.linear(heard) + self.deep((heard - self.usual) / self.scale)

    def voices(self, places):
        return self.mean + places @ self.axes

    def forward(self, heard):
        return self.voices(self.places(heard))

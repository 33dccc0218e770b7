"""A loss by further speaker networks. A voice that is trained by x-vectors alone learns what this one network hears, and not what others do."""

import torch
import torch.nn.functional as F

import paths  # noqa: F401  adds the other folders to the import path
import student as st
from contrast import contrast_loss, weighted_mean
from speaker_features import RATE as FEATURE_RATE, resampled
from speaker_network import load_network


class NetworkLoss:
    def __init__(self, files, device):
        self.networks = [load_network(file, device) for file in files]

    def vectors(self, wave):
        """[B, samples at 8 kHz] -> [B, networks, 128]"""
        return torch.stack([network(wave) for network in self.networks], 1)

    @torch.no_grad()
    def references(self, waves, speakers):
        """`waves` [n, samples at 24 kHz], 16 bit, and the speaker of each -> [speakers, networks, 128]"""
        found = torch.cat([self.vectors(resampled(part.float() / 32767, FEATURE_RATE / st.RATE)) for part in waves.split(128)])
        sums = torch.zeros(int(speakers.max()) + 1, *found.shape[1:], device=found.device)
        return F.normalize(sums.index_add_(0, speakers, found), dim=-1)

    def __call__(self, wave, references, others, known):
        """`references` [B, networks, 128], `others` [N, networks, 128], `known` [B]: 0 for voices without a reference. -> distance, contrast"""
        vectors = self.vectors(wave)
        distance = weighted_mean(1 - (vectors * references).sum(2).mean(1), known)
        contrast = [contrast_loss(vectors[:, i], references[:, i], others[:, i], known) for i in range(len(self.networks))]
        return distance, sum(contrast) / len(contrast)

"""The encoder's input: x-vector, log2 of the pitch in Hz (NaN where unknown) and the vector of a speaker network, of clips and of speakers."""

import torch

import paths  # noqa: F401  adds the other folders to the import path
from augmentation import augmented, level
from encoder import NETWORK, PITCH, XVECTOR
from speaker_features import median_pitch, unit

#: The level of the clips that the speaker network gets.
LEVEL = 0.1


class SpeakerInput:
    def __init__(self, xvectors, network):
        self.xvectors, self.network = xvectors, network

    @torch.no_grad()
    def __call__(self, waves, augment=False):
        """[B, samples at 8 kHz] -> [B, FEATURES]"""
        if augment:
            waves = torch.where(torch.rand(len(waves), 1, device=waves.device) < 0.7, augmented(waves), waves)
        return torch.cat([self.xvectors(waves), median_pitch(waves)[:, None], self.network(waves * (LEVEL / level(waves)))], 1)


def with_unit_vectors(features):
    """Normalizes both vectors; the pitch is unchanged."""
    return torch.cat([unit(features[..., XVECTOR]), features[..., PITCH, None], unit(features[..., NETWORK])], -1)


def mean_input(rows):
    """[clips, FEATURES] -> the input from several clips of a speaker, [FEATURES]"""
    return with_unit_vectors(torch.cat([rows[:, XVECTOR].sum(0), rows[:, PITCH].nanmedian()[None], rows[:, NETWORK].sum(0)]))


def means_without_one(rows):
    """[clips, FEATURES]: the input from all clips but one, for each of them."""
    keep = ~torch.eye(len(rows), dtype=torch.bool, device=rows.device)
    return torch.stack([mean_input(rows[row]) for row in (keep if len(rows) > 1 else ~keep)])

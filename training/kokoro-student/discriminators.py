"""Discriminators: multi-period on the waveform, multi-resolution on spectra."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.nn.utils.parametrizations import weight_norm


def initialized(layer):
    """With weights that keep the scale of activations; smaller ones slow the training of a discriminator down."""
    nn.init.kaiming_normal_(layer.weight, a=0.1)
    nn.init.zeros_(layer.bias)
    return weight_norm(layer)


class MultiPeriod(nn.Module):
    def __init__(self, period):
        super().__init__()
        self.period = period
        sizes = ((1, 32, 3), (32, 128, 3), (128, 256, 3), (256, 512, 3), (512, 512, 1))
        self.layers = nn.ModuleList(initialized(nn.Conv2d(i, o, (5, 1), (s, 1), (2, 0))) for i, o, s in sizes)
        self.last = weight_norm(nn.Conv2d(512, 1, (3, 1), padding=(1, 0)))

    def forward(self, wave):
        batch, length = wave.shape
        # Speech has a low level on average: it is scaled to about one.
        x = F.pad(wave * 4, (0, -length % self.period), "reflect").view(batch, 1, -1, self.period)
        features = []
        for layer in self.layers:
            x = F.leaky_relu(layer(x), 0.1)
            features.append(x)
        return self.last(x), features


class MultiResolution(nn.Module):
    def __init__(self, size, width=32):
        super().__init__()
        self.size = size
        self.register_buffer("window", torch.hann_window(size), persistent=False)
        shapes = ((4, 1, 2), (width, 1, 2), (width, 1, 2), (width, 1, 2))
        self.layers = nn.ModuleList(initialized(nn.Conv2d(i, width, (3, 9), (1, s), (1, 4))) for i, _, s in shapes)
        self.layers.append(initialized(nn.Conv2d(width, width, (3, 3), padding=1)))
        self.last = weight_norm(nn.Conv2d(width, 1, (3, 3), padding=1))

    def forward(self, wave):
        with torch.autocast(wave.device.type, enabled=False):
            bins = torch.stft(wave.float(), self.size, self.size // 4, self.size, self.window, return_complex=True).transpose(1, 2)
            power = bins.real**2 + bins.imag**2 + 1e-6
            compressed = bins * power**-0.35
            frequency = torch.linspace(-1, 1, bins.shape[2], device=wave.device).expand(power.shape)
            x = torch.stack([compressed.real, compressed.imag, torch.log(power) * 0.15, frequency], 1)
        x = x.contiguous(memory_format=torch.channels_last)
        features = []
        for layer in self.layers:
            x = F.leaky_relu(layer(x), 0.1)
            features.append(x)
        return self.last(x), features


def discriminator_losses(discriminators, real, generated):
    """The loss of each discriminator: real audio should score 1, the student's 0."""
    losses = []
    for discriminator in discriminators:
        scores, _ = discriminator(torch.cat([real, generated.detach()]))
        of_real, of_generated = scores.float().split((len(real), len(generated)))
        losses.append(((1 - of_real) ** 2).mean() + (of_generated**2).mean())
    return losses


def generator_losses(discriminators, real, generated):
    """The adversarial loss and the feature matching loss. The first rows of `generated` have the texts of `real`."""
    score, features = 0.0, 0.0
    discriminators.requires_grad_(False)
    for discriminator in discriminators:
        with torch.no_grad():
            _, real_features = discriminator(real)
        scores, generated_features = discriminator(generated)
        score = score + ((1 - scores.float()) ** 2).mean()
        features = features + sum((a.float() - b[: len(a)].float()).abs().mean() for a, b in zip(real_features, generated_features)) / len(generated_features)
    discriminators.requires_grad_(True)
    return score, features

"""What rooms, microphones and lines do to a voice. All of it in the spectrum, many at a time."""

import math

import torch

from listener import RATE


def spread(count, low, high, device):
    return low + (high - low) * torch.rand(count, 1, device=device)


def level(wave):
    return wave.square().mean(1, keepdim=True).sqrt() + 1e-9


def spectrum_of(wave):
    """-> the spectrum, its size, the frequencies."""
    size = 2 ** math.ceil(math.log2(wave.shape[1] + RATE // 2))
    return torch.fft.rfft(wave, size), size, torch.arange(size // 2 + 1, device=wave.device)[None] * (RATE / size)


def through_microphone(wave):
    """[B, samples at 8 kHz]; each through a microphone of its own, at the same level."""
    spectrum, size, hertz = spectrum_of(wave)
    heard = torch.fft.irfft(spectrum * microphone(len(wave), hertz), size)[:, : wave.shape[1]]
    return heard * (level(wave) / level(heard))


def degraded(wave):
    """[B, samples at 8 kHz]; each in its own way, some hardly."""
    count, samples = wave.shape
    device = wave.device
    spectrum, size, hertz = spectrum_of(wave)
    heard = torch.fft.irfft(spectrum * room(count, size, device) * microphone(count, hertz), size)[:, :samples]
    # Between white noise and a rumble.
    colour = (hertz + 50) ** -spread(count, 0, 1, device)
    noise = torch.fft.irfft(torch.fft.rfft(torch.randn(count, size, device=device)) * colour, size)[:, :samples]
    decibels = spread(count, 8, 60, device)
    heard = heard + noise * (level(heard) / level(noise)) * 10 ** (-decibels / 20)
    # Some are recorded too loud.
    most = heard.abs().amax(1, keepdim=True) * torch.where(torch.rand(count, 1, device=device) < 0.1, spread(count, 0.2, 0.8, device), 1)
    heard = heard.clamp(-most, most)
    return heard * (level(wave) / level(heard))


def room(count, size, device):
    """Echoes that grow softer, 60 dB in so many seconds; none for half of them."""
    seconds = spread(count, 0.05, 0.5, device)
    time = torch.arange(RATE // 2, device=device)[None] / RATE
    tail = torch.randn(count, RATE // 2, device=device) * 10 ** (-3 * time / seconds)
    tail = tail / tail.square().sum(1, keepdim=True).sqrt()
    strength = torch.where(torch.rand(count, 1, device=device) < 0.5, spread(count, 0.05, 0.7, device), 0)
    tail = tail * strength
    tail[:, 0] = 1
    return torch.fft.rfft(tail, size)


def microphone(count, hertz):
    """A gain that wanders by some decibels over the spectrum, and soft ends on both sides."""
    device = hertz.device
    knots = torch.randn(count, 1, 10, device=device) * spread(count, 0, 5, device)[:, :, None]
    gain = torch.nn.functional.interpolate(knots, hertz.shape[1], mode="linear", align_corners=True)[:, 0]
    low, high = spread(count, 10, 250, device), spread(count, 2800, 6000, device)
    ends = (hertz / low) ** 2 / (1 + (hertz / low) ** 2) / (1 + (hertz / high) ** 8)
    return 10 ** (gain / 20) * ends

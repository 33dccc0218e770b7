"""Data augmentation: reverberation, microphone responses, noise and clipping. Batched, in the frequency domain."""

import math

import torch

from speaker_features import RATE

#: Of the spectral envelope: below the period of a voice of 450 Hz at 10 kHz.
ENVELOPE_CEPSTRA = 22


def spread(count, low, high, device):
    return low + (high - low) * torch.rand(count, 1, device=device)


def level(wave):
    return wave.square().mean(1, keepdim=True).sqrt() + 1e-9


def spectrum_of(wave):
    """-> the spectrum, its size, the frequencies."""
    size = 2 ** math.ceil(math.log2(wave.shape[1] + RATE // 2))
    return torch.fft.rfft(wave, size), size, torch.arange(size // 2 + 1, device=wave.device)[None] * (RATE / size)


def with_microphone(wave):
    """[B, samples at 8 kHz] -> the same with a random microphone response each, at the same level."""
    spectrum, size, hertz = spectrum_of(wave)
    filtered = torch.fft.irfft(spectrum * microphone(len(wave), hertz), size)[:, : wave.shape[1]]
    return filtered * (level(wave) / level(filtered))


def with_other_formants(wave, generator):
    """[B, samples] -> the same with the spectral envelope stretched by one random curve, as by another vocal tract. The pitch stays."""
    size, hop, window = 512, 128, torch.hann_window(512, device=wave.device)
    spectrum = torch.stft(wave, size, hop, window=window, return_complex=True)
    cepstra = torch.fft.irfft(torch.log(spectrum.abs() + 1e-4), dim=1)
    cepstra[:, ENVELOPE_CEPSTRA : 1 - ENVELOPE_CEPSTRA] = 0
    envelope = torch.fft.rfft(cepstra, dim=1).real
    knots = torch.randn(1, 1, 4, generator=generator) * 0.08 + (torch.rand(1, generator=generator) * 2 - 1) * 0.2
    bins = envelope.shape[1]
    stretch = torch.nn.functional.interpolate(knots, bins, mode="linear", align_corners=True)[0, 0].exp().to(wave.device)
    at = (torch.arange(bins, device=wave.device) * stretch).clamp(max=bins - 1)
    below = at.floor().long().clamp(max=bins - 2)
    part = (at - below)[None, :, None]
    moved = envelope[:, below] * (1 - part) + envelope[:, below + 1] * part
    other = torch.istft(spectrum * (moved - envelope).clamp(-3, 3).exp(), size, hop, window=window, length=wave.shape[1])
    return other * (level(wave) / level(other))


def augmented(wave):
    """[B, samples at 8 kHz] -> the same with random reverberation, microphone response, noise and clipping."""
    count, samples = wave.shape
    device = wave.device
    spectrum, size, hertz = spectrum_of(wave)
    filtered = torch.fft.irfft(spectrum * room(count, size, device) * microphone(count, hertz), size)[:, :samples]
    # Between white noise and noise with a falling spectrum.
    colour = (hertz + 50) ** -spread(count, 0, 1, device)
    noise = torch.fft.irfft(torch.fft.rfft(torch.randn(count, size, device=device)) * colour, size)[:, :samples]
    decibels = spread(count, 8, 60, device)
    filtered = filtered + noise * (level(filtered) / level(noise)) * 10 ** (-decibels / 20)
    # A tenth is clipped.
    most = filtered.abs().amax(1, keepdim=True) * torch.where(torch.rand(count, 1, device=device) < 0.1, spread(count, 0.2, 0.8, device), 1)
    filtered = filtered.clamp(-most, most)
    return filtered * (level(wave) / level(filtered))


def room(count, size, device):
    """Transfer functions of exponentially decaying noise (60 dB in 0.05 to 0.5 s), for half of the batch."""
    seconds = spread(count, 0.05, 0.5, device)
    time = torch.arange(RATE // 2, device=device)[None] / RATE
    tail = torch.randn(count, RATE // 2, device=device) * 10 ** (-3 * time / seconds)
    tail = tail / tail.square().sum(1, keepdim=True).sqrt()
    strength = torch.where(torch.rand(count, 1, device=device) < 0.5, spread(count, 0.05, 0.7, device), 0)
    tail = tail * strength
    tail[:, 0] = 1
    return torch.fft.rfft(tail, size)


def microphone(count, hertz):
    """Frequency responses: a random gain of some decibels, and a high-pass and a low-pass filter."""
    device = hertz.device
    knots = torch.randn(count, 1, 10, device=device) * spread(count, 0, 5, device)[:, :, None]
    gain = torch.nn.functional.interpolate(knots, hertz.shape[1], mode="linear", align_corners=True)[:, 0]
    low, high = spread(count, 10, 250, device), spread(count, 2800, 6000, device)
    ends = (hertz / low) ** 2 / (1 + (hertz / low) ** 2) / (1 + (hertz / high) ** 8)
    return 10 ** (gain / 20) * ends

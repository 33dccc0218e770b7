"""A network that hears what is said, independent of the speaker: from audio to the 512 sound features of Kokoro's text encoder.

Likeness alone makes voices that nobody understands. What the student says with a style must give the features that it was given.
"""

import math

import torch
import torch.nn as nn

import measure  # which also finds what stands beside this folder
import student as st

BANDS, WIDTH, FFT = 80, 384, 1024
STEPS, BATCH, CROP = 2500, 64, 96  # frames of 40 Hz


def bank_of():
    to_mel = lambda f: 2595 * math.log10(1 + f / 700)
    points = 700 * (10 ** (torch.linspace(to_mel(50), to_mel(8000), BANDS + 2) / 2595) - 1)
    bins = torch.linspace(0, st.RATE / 2, FFT // 2 + 1)[:, None]
    return torch.minimum((bins - points[:-2]) / (points[1:-1] - points[:-2]), (points[2:] - bins) / (points[2:] - points[1:-1])).clamp(min=0)


class Sounds(nn.Module):
    """[B, samples at 24 kHz] -> [B, frames of 40 Hz, 512]"""

    def __init__(self):
        super().__init__()
        self.register_buffer("bank", bank_of())
        self.register_buffer("window", torch.hann_window(FFT))
        self.enter = nn.Conv1d(BANDS, WIDTH, 4, stride=2, padding=1)
        block = lambda d: nn.Sequential(nn.GroupNorm(1, WIDTH), nn.Conv1d(WIDTH, 2 * WIDTH, 3, padding=d, dilation=d), nn.GLU(1), nn.Conv1d(WIDTH, WIDTH, 1))
        self.blocks = nn.ModuleList(block(d) for d in (1, 2, 4, 1, 2, 4))
        self.leave = nn.Sequential(nn.GroupNorm(1, WIDTH), nn.Conv1d(WIDTH, st.ASR, 1))

    def bands(self, wave):
        """Log-mel bands at 80 Hz without their mean: no level, no microphone."""
        padded = nn.functional.pad(wave, ((FFT - st.HOP) // 2, FFT - st.HOP - (FFT - st.HOP) // 2))
        bins = torch.fft.rfft(padded.unfold(1, FFT, st.HOP) * self.window)
        x = torch.log((bins.real**2 + bins.imag**2) @ self.bank + 1e-4).transpose(1, 2)
        return x - x.mean(2, keepdim=True)

    def forward(self, wave):
        x = self.enter(self.bands(wave))
        for block in self.blocks:
            x = x + block(x)
        return self.leave(x).transpose(1, 2)


class Words:
    """How far what is heard is from what should be said; 1 is as far as a network that hears nothing."""

    def __init__(self, network, spread):
        self.network, self.spread = network.eval().requires_grad_(False), spread

    def __call__(self, wave, wanted):
        """`wanted`: [B, frames, 512] -> [B]"""
        return ((self.network(wave) - wanted) / self.spread).square().mean((1, 2))


def learn(parts, device, steps=STEPS):
    """`parts`: waves of 24 kHz (int16 [n, samples]) with sounds ([n, frames of 40 Hz, 512]), drawn alike often. -> Words"""
    network = Sounds().to(device)
    # The features of silence and of most sounds are near zero, so the mean is the origin.
    spread = torch.cat([sounds[:512].float().flatten(0, 1) for _, sounds in parts]).square().mean(0).sqrt().clamp(min=0.02)
    optimizer = torch.optim.AdamW(network.parameters(), 1e-3, weight_decay=0.01)
    hop, each = 2 * st.HOP, BATCH // len(parts)
    for step in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = 1e-3 * 0.5 * (1 + math.cos(math.pi * step / steps))
        waves, wanted = [], []
        for sound, sounds in parts:
            rows = torch.randint(len(sound), (each, 1), device=device)
            start = torch.randint(sounds.shape[1] - CROP + 1, (each, 1), device=device)
            waves.append(sound[rows, start * hop + torch.arange(CROP * hop, device=device)].float() / 32767)
            wanted.append(sounds[rows, start + torch.arange(CROP, device=device)].float())
        wave, target = torch.cat(waves), torch.cat(wanted)
        # Noise of 20 to 60 dB below, so that what is heard is no accident of single bins.
        level = wave.square().mean(1, keepdim=True).sqrt() * 10 ** (-(1 + 2 * torch.rand(len(wave), 1, device=device)))
        loss = ((network(wave + level * torch.randn_like(wave)) - target) / spread).square().mean()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
    return Words(network, spread)

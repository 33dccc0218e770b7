"""Pitch and energy of audio, as Kokoro's decoder expects them: 80 frames a second of 24 kHz."""

import os
import sys

import torch

HERE = os.path.dirname(os.path.abspath(__file__))
for folder in ("..", "../kokoro-student", "../kokoro-reader", "../voice-encoder"):
    sys.path.append(os.path.join(HERE, folder))
from listener import resampled

RATE, HOP = 24_000, 300
SHORTEST, LONGEST, SPAN = 30, 200, 480  # lags and span in samples of 12 kHz: 60 to 400 Hz, 40 ms


def likeness_of(wave):
    """Normalized correlation of each frame with itself, so much later: [B, frames, LONGEST + 2]."""
    half = resampled(wave, 0.5)
    frames, reach = wave.shape[1] // HOP, SPAN + LONGEST + 2
    lead = (reach - HOP // 2) // 2
    spans = torch.nn.functional.pad(half, (lead, reach)).unfold(1, reach, HOP // 2)[:, :frames]
    here = spans[..., :SPAN]
    product = torch.fft.irfft(torch.fft.rfft(here, 2048).conj() * torch.fft.rfft(spans, 2048), 2048)[..., : LONGEST + 2]
    squares = torch.nn.functional.pad((spans.double() ** 2).cumsum(-1), (1, 0))
    there = (squares[..., SPAN : SPAN + LONGEST + 2] - squares[..., : LONGEST + 2]).float()
    loud = here.square().mean(-1).sqrt()
    return product / torch.sqrt(there[..., :1] * there + 1e-10), loud


@torch.no_grad()
def pitch_track(wave, least=0.3):
    """[B, samples] -> pitch in Hz [B, frames], 0 where unvoiced, and its median over voiced frames [B], NaN where few are."""
    likeness, loud = likeness_of(wave)
    likeness[..., :SHORTEST] = 0
    best = likeness[..., :-1].amax(-1, keepdim=True)
    inner = likeness[..., 1:-1]
    peak = (inner >= likeness[..., :-2]) & (inner >= likeness[..., 2:]) & (inner >= 0.9 * best)
    peak[..., : SHORTEST - 1] = False
    voiced = (best[..., 0] >= 0.55) & peak.any(-1) & (loud >= 0.06 * loud.amax(1, keepdim=True))
    first = peak.float().argmax(-1) + 1
    median = torch.where(voiced, torch.log2(RATE / 2 / first), torch.nan).nanmedian(1).values
    few = voiced.sum(1) < 20
    # Once more, near the median: an octave off is the common error.
    lag = torch.arange(likeness.shape[-1], device=wave.device)
    usual = RATE / 2 / 2 ** torch.where(few, torch.full_like(median, 7.3), median)
    near = (lag > usual[:, None] / 1.8) & (lag < usual[:, None] * 1.75)
    near[:, -1] = False
    masked = torch.where(near[:, None], likeness, -1.0)
    at = masked.argmax(-1).clamp(SHORTEST, LONGEST)
    left, middle, right = (likeness.gather(-1, (at + step)[..., None])[..., 0] for step in (-1, 0, 1))
    bend = left - 2 * middle + right
    shift = torch.where(bend < -1e-6, 0.5 * (left - right) / bend, torch.zeros_like(bend)).clamp(-0.5, 0.5)
    voiced = (middle >= least) & (loud >= 0.02 * loud.amax(1, keepdim=True)) & ~few[:, None]
    # A voiced frame alone is chance.
    beside = torch.nn.functional.pad(voiced, (1, 1))
    voiced &= beside[:, :-2] | beside[:, 2:]
    return torch.where(voiced, RATE / 2 / (at + shift), 0.0), torch.where(few, torch.nan, median)


class Energy:
    """The logarithm of the norm of the mel spectrum. Its bank is the one of Kokoro's training, made for another rate."""

    def __init__(self, device):
        to_mel = lambda f: 2595 * torch.log10(1 + torch.tensor(f, dtype=torch.float64) / 700)
        points = 700 * (10 ** (torch.linspace(0, to_mel(8000.0).item(), 82, dtype=torch.float64) / 2595) - 1)
        bins = torch.linspace(0, 8000, 1025, dtype=torch.float64)[:, None]
        rising = (bins - points[:-2]) / (points[1:-1] - points[:-2])
        falling = (points[2:] - bins) / (points[2:] - points[1:-1])
        self.bank = torch.minimum(rising, falling).clamp(min=0).float().to(device)
        self.window = torch.nn.functional.pad(torch.hann_window(1200), (424, 424)).to(device)

    @torch.no_grad()
    def __call__(self, wave):
        frames = wave.shape[1] // HOP
        padded = torch.nn.functional.pad(wave, (1024 - HOP // 2, 2048))
        bins = torch.fft.rfft(padded.unfold(1, 2048, HOP)[:, :frames] * self.window)
        mels = (bins.real**2 + bins.imag**2) @ self.bank
        return torch.log((mels + 1e-5).norm(dim=-1))

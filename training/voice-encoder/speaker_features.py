"""Differentiable x-vectors, median pitch and resampling, batched."""

import math
import os
import sys

import torch

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "kokoro-student"))
from speaker_loss import SpeakerLoss

RATE = 8000
CLIP_RATE = 10_000


def resampled(wave, factor):
    """[B, samples] -> `factor` times as many, by truncating or padding the spectrum; the result is a multiple of 128 samples."""
    count = round(wave.shape[1] * factor / 128) * 128
    spectrum = torch.fft.rfft(wave)
    bins = min(spectrum.shape[1], count // 2 + 1)
    result = torch.fft.irfft(torch.nn.functional.pad(spectrum[:, :bins], (0, count // 2 + 1 - bins)), count)
    return result * (count / wave.shape[1])


class XVectors(SpeakerLoss):
    def __init__(self, path, device):
        super().__init__(path, device, RATE)
        hertz = torch.arange(129, device=device) * (RATE / 256)
        emphasis = (1 - 0.97 * torch.exp(-2j * math.pi * hertz / RATE)).abs() ** 2
        self.plain_bank = self.bank / emphasis[:, None]

    def cepstra(self, wave):
        """Exactly as Kaldi: quiet frames are part of the mean that is subtracted, so their floor matters."""
        frames = wave.unfold(1, 200, 80) * 32768
        frames = frames - frames.mean(-1, keepdim=True)
        energy = torch.log(frames.square().sum(-1).clamp(min=1.2e-7))
        before = torch.cat([frames[..., :1], frames[..., :-1]], -1)
        bins = torch.fft.rfft((frames - 0.97 * before) * self.window, 256)
        bands = torch.log(((bins.real**2 + bins.imag**2) @ self.plain_bank).clamp(min=1.2e-7))
        return torch.cat([energy[..., None], (bands @ self.cosines)[..., 1:]], -1)

    def __call__(self, wave):
        """[B, samples at 8 kHz] -> [B, 128]: x-vectors of length 1."""
        features = self.cepstra(wave)
        loudness = features[..., 0].detach()
        loud = loudness > loudness.amax(1, keepdim=True) - 9
        frames = features.shape[1]
        # The mean of the 300 frames around each frame is subtracted.
        sums = torch.nn.functional.pad(features.cumsum(1), (0, 0, 1, 0))
        start = (torch.arange(frames, device=wave.device) - 150).clamp(max=frames - 300).clamp(min=0)
        end = (start + 300).clamp(max=frames)
        centred = features - (sums[:, end] - sums[:, start]) / (end - start)[:, None]
        # Quiet frames are removed: the loud ones are moved to the front, and the last of them pads the rest.
        order = torch.sort((~loud).to(torch.int8), dim=1, stable=True).indices
        position = torch.arange(frames, device=wave.device)[None]
        count = loud.sum(1, keepdim=True)
        order = order.gather(1, torch.minimum(position, count - 1))
        speech = centred.gather(1, order[..., None].expand(-1, -1, centred.shape[2]))
        return unit(self.vector(self.layers_of(speech)[-1], (position < count).float()))


def unit(vectors):
    return torch.nn.functional.normalize(vectors, dim=-1)


@torch.no_grad()
def median_pitch(wave):
    """[B, samples at 8 kHz] -> [B] log2 of Hz, as in packages/speech/src/voices/clone/pitch.ts; NaN where too few frames are voiced."""
    size, hop, shortest, longest = 320, 160, 20, 134
    count = (wave.shape[1] - size - longest) // hop
    spans = wave.unfold(1, size + longest, hop)[:, :count]
    here = spans[..., :size]
    # Cross-correlation of each frame with the following samples, by FFT.
    padded = 1024
    product = torch.fft.irfft(torch.fft.rfft(here, padded).conj() * torch.fft.rfft(spans, padded), padded)[..., : longest + 1]
    squares = torch.nn.functional.pad((spans.double() ** 2).cumsum(-1), (1, 0))
    there = (squares[..., size : size + longest + 1] - squares[..., : longest + 1]).float()
    correlation = product / torch.sqrt(there[..., :1] * there + 1e-12)
    correlation[..., :shortest] = 0
    best = correlation.amax(-1, keepdim=True)
    inner = correlation[..., 1:-1]
    peak = (inner >= correlation[..., :-2]) & (inner >= correlation[..., 2:]) & (inner >= 0.9 * best)
    peak[..., :shortest] = False
    quiet = 0.1 * wave.square().mean(1, keepdim=True).sqrt()
    voiced = (best[..., 0] >= 0.6) & peak.any(-1) & (here.square().mean(-1).sqrt() >= quiet)
    period = peak.float().argmax(-1) + 1
    pitch = torch.where(voiced, torch.log2(RATE / period), torch.nan)
    few = voiced.sum(1) < 10
    return torch.where(few, torch.nan, pitch.nanmedian(1).values)

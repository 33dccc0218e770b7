"""What the training hears with: sound that can be learned through, x-vectors and pitch, many at a time."""

import math
import os
import sys

import torch

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "kokoro-student"))
from hearing import Hearing

RATE = 8000
CLIP_RATE = 10_000


def resampled(wave, factor):
    """[B, samples] -> `factor` times as many, by cutting or filling the spectrum; the count is one that is quick to transform."""
    count = round(wave.shape[1] * factor / 128) * 128
    spectrum = torch.fft.rfft(wave)
    kept = min(spectrum.shape[1], count // 2 + 1)
    result = torch.fft.irfft(torch.nn.functional.pad(spectrum[:, :kept], (0, count // 2 + 1 - kept)), count)
    return result * (count / wave.shape[1])


class Listener(Hearing):
    def __init__(self, path, device):
        super().__init__(path, device, RATE)
        hertz = torch.arange(129, device=device) * (RATE / 256)
        emphasis = (1 - 0.97 * torch.exp(-2j * math.pi * hertz / RATE)).abs() ** 2
        self.plain_bank = self.bank / emphasis[:, None]

    def cepstra(self, wave):
        """As Kaldi computes them, to the letter: quiet frames are in the mean that is taken away, so their floor matters."""
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
        # The mean of the 300 frames around each one is taken away.
        sums = torch.nn.functional.pad(features.cumsum(1), (0, 0, 1, 0))
        start = (torch.arange(frames, device=wave.device) - 150).clamp(max=frames - 300).clamp(min=0)
        end = (start + 300).clamp(max=frames)
        centred = features - (sums[:, end] - sums[:, start]) / (end - start)[:, None]
        # Quiet frames are left out: the loud ones move together, and the last of them stands in for what is behind it.
        order = torch.sort((~loud).to(torch.int8), dim=1, stable=True).indices
        place = torch.arange(frames, device=wave.device)[None]
        count = loud.sum(1, keepdim=True)
        order = order.gather(1, torch.minimum(place, count - 1))
        spoken = centred.gather(1, order[..., None].expand(-1, -1, centred.shape[2]))
        return unit(self.vector(self.layers_of(spoken)[-1], (place < count).float()))


def unit(vectors):
    return torch.nn.functional.normalize(vectors, dim=-1)


@torch.no_grad()
def median_pitch(wave):
    """[B, samples at 8 kHz] -> [B] log2 of Hz, as packages/speech/src/voices/clone/pitch.ts does it; NaN where too little is voiced."""
    size, hop, shortest, longest = 320, 160, 20, 134
    count = (wave.shape[1] - size - longest) // hop
    spans = wave.unfold(1, size + longest, hop)[:, :count]
    here = spans[..., :size]
    # By transforms: the product of each frame with itself, so much later.
    padded = 1024
    product = torch.fft.irfft(torch.fft.rfft(here, padded).conj() * torch.fft.rfft(spans, padded), padded)[..., : longest + 1]
    squares = torch.nn.functional.pad((spans.double() ** 2).cumsum(-1), (1, 0))
    there = (squares[..., size : size + longest + 1] - squares[..., : longest + 1]).float()
    likeness = product / torch.sqrt(there[..., :1] * there + 1e-12)
    likeness[..., :shortest] = 0
    best = likeness.amax(-1, keepdim=True)
    inner = likeness[..., 1:-1]
    peak = (inner >= likeness[..., :-2]) & (inner >= likeness[..., 2:]) & (inner >= 0.9 * best)
    peak[..., :shortest] = False
    quiet = 0.1 * wave.square().mean(1, keepdim=True).sqrt()
    voiced = (best[..., 0] >= 0.6) & peak.any(-1) & (here.square().mean(-1).sqrt() >= quiet)
    period = peak.float().argmax(-1) + 1
    pitch = torch.where(voiced, torch.log2(RATE / period), torch.nan)
    few = voiced.sum(1) < 10
    return torch.where(few, torch.nan, pitch.nanmedian(1).values)

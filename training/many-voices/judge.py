"""Trains a small speaker network that takes no part in the training of voices: the second judge of how alike a clone is.

  python judge.py PACK_FOLDER OUT_FOLDER SECONDS

It learns Piper's speakers and the people that are learned from, at several tape speeds, and is evaluated on people that are held out.
"""

import math
import os
import sys
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

import measure  # which also finds what stands beside this folder
from degrade import degraded
from encoder_teacher import Teacher
from listener import CLIP_RATE, RATE, resampled
from persons import WARPS
from voices import PiperSpeech, clips_of, held

BANDS, WIDTH, SIZE = 40, 256, 128
EACH, WARPED = 10, 5
CROP = 2 * RATE


def bank_of(device):
    to_mel = lambda f: 2595 * math.log10(1 + f / 700)
    points = 700 * (10 ** (torch.linspace(to_mel(60), to_mel(3900), BANDS + 2) / 2595) - 1)
    bins = torch.linspace(0, RATE / 2, 129)[:, None]
    return torch.minimum((bins - points[:-2]) / (points[1:-1] - points[:-2]), (points[2:] - bins) / (points[2:] - points[1:-1])).clamp(min=0).to(device)


class Judge(nn.Module):
    """[B, samples at 8 kHz] -> [B, 128]: log-mel bands without their mean, dilated convolutions, means and deviations over time."""

    def __init__(self):
        super().__init__()
        self.register_buffer("bank", bank_of("cpu"))
        self.register_buffer("window", torch.hann_window(200))
        self.enter = nn.Sequential(nn.Conv1d(BANDS, WIDTH, 5, padding=2), nn.ReLU(), nn.BatchNorm1d(WIDTH))
        block = lambda d: nn.Sequential(nn.Conv1d(WIDTH, WIDTH, 3, padding=d, dilation=d), nn.ReLU(), nn.BatchNorm1d(WIDTH), nn.Conv1d(WIDTH, WIDTH, 1), nn.ReLU(), nn.BatchNorm1d(WIDTH))
        self.blocks = nn.ModuleList(block(d) for d in (1, 2, 3, 4))
        self.attend = nn.Sequential(nn.Conv1d(WIDTH, 64, 1), nn.Tanh(), nn.Conv1d(64, WIDTH, 1))
        self.leave = nn.Sequential(nn.BatchNorm1d(2 * WIDTH), nn.Linear(2 * WIDTH, SIZE))

    def bands(self, wave):
        frames = wave.unfold(1, 200, 80) * self.window
        bins = torch.fft.rfft(frames, 256)
        x = torch.log((bins.real**2 + bins.imag**2) @ self.bank + 1e-6).transpose(1, 2)
        return x - x.mean(2, keepdim=True)

    def of_bands(self, x):
        x = self.enter(x)
        for block in self.blocks:
            x = x + block(x)
        share = self.attend(x).softmax(2)
        mean = (x * share).sum(2)
        deviation = ((x - mean[..., None]).square() * share).sum(2).clamp(min=1e-5).sqrt()
        return F.normalize(self.leave(torch.cat([mean, deviation], 1)), dim=1)

    def forward(self, wave):
        return self.of_bands(self.bands(wave))


@torch.no_grad()
def error_rate(judge, people):
    """Equal error rate over all pairs of clips of people that were held out, and the mean cosine of the same and of others."""
    vectors, names = [], []
    for name, clips in people.items():
        waves = resampled(torch.stack(clips), RATE / CLIP_RATE)
        vectors.append(judge(waves))
        names += [name] * len(clips)
    vectors, names = torch.cat(vectors), np.array(names)
    likeness = (vectors @ vectors.T).cpu().numpy()
    upper = np.triu(np.ones_like(likeness, bool), 1)
    same = names[:, None] == names[None]
    own, other = np.sort(likeness[upper & same]), np.sort(likeness[upper & ~same])
    rates = [(np.searchsorted(own, t) / len(own), 1 - np.searchsorted(other, t) / len(other)) for t in np.linspace(-1, 1, 801)]
    return min(rates, key=lambda pair: abs(pair[0] - pair[1]))[0], own.mean(), other.mean()


def main(pack, out, seconds):
    device, began = "cuda" if torch.cuda.is_available() else "cpu", time.time()
    torch.manual_seed(0)
    os.makedirs(out, exist_ok=True)
    speech, random = PiperSpeech(pack, Teacher(os.path.join(pack, "encoder.npz"), device), device), np.random.default_rng(2)
    of, sound = [], []
    rows = torch.arange(len(speech.speakers) * EACH, device=device) // EACH
    for part in rows.split(64):
        sound.append(resampled(speech.say(speech.speakers[part], random, 0)[0], RATE / 24_000)[:, : 3 * RATE].half())
        of.append(part)
    people, count = clips_of(pack, device), len(speech.speakers)
    for name, clips in people.items():
        if held(name):
            continue
        for warp in np.exp(np.linspace(*np.log(WARPS), WARPED)):
            waves = resampled(torch.stack(clips), RATE / CLIP_RATE / warp)
            sound.append(torch.cat([waves[:, : 3 * RATE], waves[:, -3 * RATE :]]).half())
            of.append(torch.full((2 * len(clips),), count, device=device))
            count += 1
    sound, of = torch.cat(sound), torch.cat(of)
    apart = {name: clips for name, clips in people.items() if held(name)}
    print(f"{len(sound)} stretches of {count} speakers after {time.time() - began:.0f} s", flush=True)
    judge = Judge().to(device)
    centres = nn.Parameter(torch.randn(count, SIZE, device=device) * 0.1)
    optimiser = torch.optim.AdamW([*judge.parameters(), centres], 2e-3, weight_decay=1e-3)
    # People are few: they are drawn as often as Piper's speakers.
    weight = torch.where(of < len(speech.speakers), 1 / (of < len(speech.speakers)).sum(), 1 / (of >= len(speech.speakers)).sum())
    begun, step, told = time.time(), 0, time.time()
    while (share := (time.time() - begun) / seconds) < 1:
        for group in optimiser.param_groups:
            group["lr"] = 2e-3 * 0.5 * (1 + math.cos(math.pi * share))
        pick = torch.multinomial(weight, 256, replacement=True)
        start = torch.randint(0, sound.shape[1] - CROP + 1, (256, 1), device=device)
        wave = sound[pick[:, None], start + torch.arange(CROP, device=device)].float()
        wave = wave / wave.square().mean(1, keepdim=True).sqrt().clamp(min=1e-3) * 0.1
        wave = torch.where(torch.rand(256, 1, device=device) < 0.7, degraded(wave), wave)
        likeness = judge(wave) @ F.normalize(centres, dim=1).T
        target = of[pick]
        margin = torch.zeros_like(likeness).scatter_(1, target[:, None], 0.2 * min(1, 4 * share))
        loss = F.cross_entropy(30 * (likeness - margin), target)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        step += 1
        if time.time() - told > 20:
            told = time.time()
            judge.eval()
            rate, own, other = error_rate(judge, apart)
            print(f"{step} {told - begun:.0f} s: loss {loss.item():.3f}, equal error rate {rate:.4f}, own {own:.3f}, others {other:.3f}", flush=True)
            judge.train()
    judge.eval()
    rate, own, other = error_rate(judge, apart)
    print(f"done {step}: equal error rate {rate:.4f}, own {own:.3f}, others {other:.3f}", flush=True)
    torch.save({key: value.half() if value.is_floating_point() else value for key, value in judge.state_dict().items()}, os.path.join(out, "judge.pt"))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], float(sys.argv[3]))

"""Trains a small speaker network.

  python speaker_network.py PACK_FOLDER OUT_FOLDER SECONDS [KIND]

KIND is `judge`, which is for evaluation only and not part of the training of voices, or one of the others, which are (network_loss.py). Networks
of the same kind have common errors, so the judge is of another one. Each is trained on Piper's speakers and the people of the training set,
in several variants, and evaluated on held-out people. Writes OUT_FOLDER/KIND.pt.
"""

import math
import os
import sys
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

import paths  # noqa: F401  adds the other folders to the import path
from augmentation import augmented
from encoder_teacher import Teacher
from speaker_features import CLIP_RATE, RATE, resampled
from training_data import PiperSpeech, clips_of, is_held_out_speaker, variants_of

BANDS, SIZE = 40, 128
EXCERPTS, FACTORS = 10, 5
CROP = 2 * RATE


def bank_of(device):
    to_mel = lambda f: 2595 * math.log10(1 + f / 700)
    points = 700 * (10 ** (torch.linspace(to_mel(60), to_mel(3900), BANDS + 2) / 2595) - 1)
    bins = torch.linspace(0, RATE / 2, 129)[:, None]
    return torch.minimum((bins - points[:-2]) / (points[1:-1] - points[:-2]), (points[2:] - bins) / (points[2:] - points[1:-1])).clamp(min=0).to(device)


class SpeakerNetwork(nn.Module):
    """[B, samples at 8 kHz] -> [B, 128]: log-mel bands without their mean, `encode`, means and deviations over time."""

    def __init__(self, width):
        super().__init__()
        self.register_buffer("bank", bank_of("cpu"))
        self.register_buffer("window", torch.hann_window(200))
        self.attend = nn.Sequential(nn.Conv1d(width, 64, 1), nn.Tanh(), nn.Conv1d(64, width, 1))
        self.leave = nn.Sequential(nn.BatchNorm1d(2 * width), nn.Linear(2 * width, SIZE))

    def bands(self, wave):
        frames = wave.unfold(1, 200, 80) * self.window
        bins = torch.fft.rfft(frames, 256)
        x = torch.log((bins.real**2 + bins.imag**2) @ self.bank + 1e-6).transpose(1, 2)
        return x - x.mean(2, keepdim=True)

    def of_bands(self, x):
        x = self.encode(x)
        progress = self.attend(x).softmax(2)
        mean = (x * progress).sum(2)
        deviation = ((x - mean[..., None]).square() * progress).sum(2).clamp(min=1e-5).sqrt()
        return F.normalize(self.leave(torch.cat([mean, deviation], 1)), dim=1)

    def forward(self, wave):
        return self.of_bands(self.bands(wave))


def dilated_block(width, dilation):
    return nn.Sequential(nn.Conv1d(width, width, 3, padding=dilation, dilation=dilation), nn.ReLU(), nn.BatchNorm1d(width), nn.Conv1d(width, width, 1), nn.ReLU(), nn.BatchNorm1d(width))


class DilatedNetwork(SpeakerNetwork):
    """Dilated convolutions over time."""

    def __init__(self, width=256, dilations=(1, 2, 3, 4)):
        super().__init__(width)
        self.enter = nn.Sequential(nn.Conv1d(BANDS, width, 5, padding=2), nn.ReLU(), nn.BatchNorm1d(width))
        self.blocks = nn.ModuleList(dilated_block(width, dilation) for dilation in dilations)

    def encode(self, x):
        x = self.enter(x)
        for block in self.blocks:
            x = x + block(x)
        return x


class PlaneNetwork(SpeakerNetwork):
    """Convolutions over time and frequency."""

    def __init__(self, channels=(32, 64, 96, 128)):
        super().__init__(channels[-1] * BANDS // 2 ** (len(channels) - 1))
        layer = lambda i: nn.Sequential(nn.Conv2d(channels[i - 1] if i else 1, channels[i], 3, stride=2 if i else 1, padding=1), nn.ReLU(), nn.BatchNorm2d(channels[i]), nn.Conv2d(channels[i], channels[i], 3, padding=1), nn.ReLU(), nn.BatchNorm2d(channels[i]))
        self.layers = nn.Sequential(*(layer(i) for i in range(len(channels))))

    def encode(self, x):
        return self.layers(x[:, None]).flatten(1, 2)


class MixedNetwork(SpeakerNetwork):
    """Convolutions over time and frequency, then dilated ones over time."""

    def __init__(self, width=224, dilations=(1, 3, 5)):
        super().__init__(width)
        self.plane = nn.Sequential(nn.Conv2d(1, 24, 5, stride=(2, 1), padding=2), nn.ReLU(), nn.BatchNorm2d(24), nn.Conv2d(24, 32, 3, stride=(2, 1), padding=1), nn.ReLU(), nn.BatchNorm2d(32))
        self.enter = nn.Sequential(nn.Conv1d(32 * BANDS // 4, width, 1), nn.ReLU(), nn.BatchNorm1d(width))
        self.blocks = nn.ModuleList(dilated_block(width, dilation) for dilation in dilations)

    def encode(self, x):
        x = self.enter(self.plane(x[:, None]).flatten(1, 2))
        for block in self.blocks:
            x = x + block(x)
        return x


KINDS = {"judge": DilatedNetwork, "wide": lambda: DilatedNetwork(320, (1, 2, 4, 8)), "plane": PlaneNetwork, "mixed": MixedNetwork}


def load_network(path, device="cpu"):
    """The network of a file KIND.pt."""
    network = KINDS[os.path.splitext(os.path.basename(path))[0]]()
    stored = torch.load(path, map_location=device, weights_only=True)
    network.load_state_dict({key: value.float() if value.is_floating_point() else value for key, value in stored.items()})
    return network.to(device).eval().requires_grad_(False)


@torch.no_grad()
def error_rate(network, people):
    """Equal error rate over all pairs of clips of held-out people, and the mean cosines of clips of the same and of different speakers."""
    vectors, names = [], []
    for name, clips in people.items():
        waves = resampled(torch.stack(clips), RATE / CLIP_RATE)
        vectors.append(network(waves))
        names += [name] * len(clips)
    vectors, names = torch.cat(vectors), np.array(names)
    cosines = (vectors @ vectors.T).cpu().numpy()
    upper = np.triu(np.ones_like(cosines, bool), 1)
    same = names[:, None] == names[None]
    same_cosines, other_cosines = np.sort(cosines[upper & same]), np.sort(cosines[upper & ~same])
    rates = [(np.searchsorted(same_cosines, t) / len(same_cosines), 1 - np.searchsorted(other_cosines, t) / len(other_cosines)) for t in np.linspace(-1, 1, 801)]
    return min(rates, key=lambda pair: abs(pair[0] - pair[1]))[0], same_cosines.mean(), other_cosines.mean()


def main(pack, out, seconds, kind="judge"):
    device, started = "cuda" if torch.cuda.is_available() else "cpu", time.time()
    torch.manual_seed(list(KINDS).index(kind))
    os.makedirs(out, exist_ok=True)
    speech, random = PiperSpeech(pack, Teacher(os.path.join(pack, "encoder.npz"), device), device), np.random.default_rng(2)
    speaker_of, audio = [], []
    rows = torch.arange(len(speech.speakers) * EXCERPTS, device=device) // EXCERPTS
    for part in rows.split(64):
        audio.append(resampled(speech.synthesize(speech.speakers[part], random, 0)[0], RATE / 24_000)[:, : 3 * RATE].half())
        speaker_of.append(part)
    people, count = clips_of(pack, device), len(speech.speakers)
    for name, clips in people.items():
        if is_held_out_speaker(name):
            continue
        for factor, variant in variants_of(name, clips, FACTORS):
            waves = resampled(variant, RATE / CLIP_RATE / factor)
            audio.append(torch.cat([waves[:, : 3 * RATE], waves[:, -3 * RATE :]]).half())
            speaker_of.append(torch.full((2 * len(clips),), count, device=device))
            count += 1
    audio, speaker_of = torch.cat(audio), torch.cat(speaker_of)
    held_out = {name: clips for name, clips in people.items() if is_held_out_speaker(name)}
    print(f"{len(audio)} excerpts of {count} speakers after {time.time() - started:.0f} s", flush=True)
    network = KINDS[kind]().to(device)
    centres = nn.Parameter(torch.randn(count, SIZE, device=device) * 0.1)
    optimiser = torch.optim.AdamW([*network.parameters(), centres], 2e-3, weight_decay=1e-3)
    # People and Piper's speakers are sampled equally often, although there are fewer people.
    weight = torch.where(speaker_of < len(speech.speakers), 1 / (speaker_of < len(speech.speakers)).sum(), 1 / (speaker_of >= len(speech.speakers)).sum())
    trained_from, step, reported = time.time(), 0, time.time()
    while (progress := (time.time() - trained_from) / seconds) < 1:
        for group in optimiser.param_groups:
            group["lr"] = 2e-3 * 0.5 * (1 + math.cos(math.pi * progress))
        pick = torch.multinomial(weight, 256, replacement=True)
        start = torch.randint(0, audio.shape[1] - CROP + 1, (256, 1), device=device)
        wave = audio[pick[:, None], start + torch.arange(CROP, device=device)].float()
        wave = wave / wave.square().mean(1, keepdim=True).sqrt().clamp(min=1e-3) * 0.1
        wave = torch.where(torch.rand(256, 1, device=device) < 0.7, augmented(wave), wave)
        cosines = network(wave) @ F.normalize(centres, dim=1).T
        target = speaker_of[pick]
        margin = torch.zeros_like(cosines).scatter_(1, target[:, None], 0.2 * min(1, 4 * progress))
        loss = F.cross_entropy(30 * (cosines - margin), target)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        optimiser.step()
        step += 1
        if time.time() - reported > 20:
            reported = time.time()
            network.eval()
            rate, same_cosines, other_cosines = error_rate(network, held_out)
            print(f"{kind}: {step} {reported - trained_from:.0f} s: loss {loss.item():.3f}, equal error rate {rate:.4f}, own {same_cosines:.3f}, others {other_cosines:.3f}", flush=True)
            network.train()
    network.eval()
    rate, same_cosines, other_cosines = error_rate(network, held_out)
    print(f"{kind}: done {step}: equal error rate {rate:.4f}, own {same_cosines:.3f}, others {other_cosines:.3f}", flush=True)
    torch.save({key: value.half() if value.is_floating_point() else value for key, value in network.state_dict().items()}, os.path.join(out, f"{kind}.pt"))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], float(sys.argv[3]), *sys.argv[4:5])

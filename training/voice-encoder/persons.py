"""Persons to learn from, and to be judged by: those of the recordings, and those that Piper can be."""

import os
import zlib

import numpy as np
import torch

from degrade import degraded
from listener import CLIP_RATE, RATE, median_pitch, resampled, unit
from piper import RATE as PIPER_RATE

CLIP = 5 * CLIP_RATE
#: A tape that runs faster or slower makes another person of somebody: throat and pitch change together.
WARPS = (0.87, 1.15)


def is_held(name):
    """Whether somebody is only for judging: every fifth of the people, and those of Kokoro's voices that are in no mix."""
    folder, person = name.split("/")
    return person.startswith("held_") or (folder == "people" and zlib.crc32(person.encode()) % 5 == 0)


class Persons:
    def __init__(self, folder, device):
        stored = np.load(os.path.join(folder, "clips.npz"))
        sound, starts, found = stored["sound"], stored["starts"], {}
        for name, start, end in zip(stored["names"], starts, starts[1:]):
            clip = sound[start:end].astype(np.float32) / 32768
            clip = np.tile(clip, -(-CLIP // len(clip)))[:CLIP]
            found.setdefault(str(name).rsplit("-", 1)[0], []).append(torch.tensor(clip, device=device))
        self.learned = {name: clips for name, clips in found.items() if not is_held(name)}
        self.held = {name: clips for name, clips in found.items() if is_held(name)}

    def draw(self, count):
        """Two clips of each of `count` persons, at one tape speed: twice [count, samples at 8 kHz]."""
        names = list(self.learned)
        pairs = []
        for index in np.random.choice(len(names), count, replace=count > len(names)):
            clips = self.learned[names[index]]
            pairs.append([clips[at] for at in np.random.permutation(len(clips))[:2]])
        factor = RATE / CLIP_RATE / np.exp(np.random.uniform(*np.log(WARPS)))
        return [resampled(torch.stack([pair[side] for pair in pairs]), factor) for side in (0, 1)]


class Heard:
    """What is heard of some persons: as recordings of theirs reach us, and as they are. Pitches are log2 of Hz, or NaN."""

    def __init__(self, given, given_pitch, true, true_pitch):
        self.given, self.given_pitch, self.true, self.true_pitch = given, given_pitch, true, true_pitch

    @staticmethod
    @torch.no_grad()
    def of(listener, first, second):
        """The first clip is what is given, mostly worse than it was; both tell who it is."""
        worse = torch.where(torch.rand(len(first), 1, device=first.device) < 0.7, degraded(first), first)
        true = unit(listener(first) + listener(second))
        return Heard(listener(worse), median_pitch(worse), true, median_pitch(torch.cat([first, second], 1)))

    @staticmethod
    def joined(parts):
        return Heard(*(torch.cat(each) for each in zip(*((part.given, part.given_pitch, part.true, part.true_pitch) for part in parts))))

    def mixed(self, share):
        """Some of them become persons between two, or a little beyond one of the two: a few hundred are soon known by heart."""
        count, device = len(self.given), self.given.device
        other = torch.randperm(count, device=device)
        weight = torch.rand(count, 1, device=device) * 1.3
        weight = torch.where(torch.rand_like(weight) < share, weight, torch.ones_like(weight))
        vectors = lambda of: unit(weight * of + (1 - weight) * of[other])
        one = weight[:, 0]
        pitches = lambda of: torch.where(one == 1, of, one * of + (1 - one) * of[other])
        return Heard(vectors(self.given), pitches(self.given_pitch), vectors(self.true), pitches(self.true_pitch))


class Crowd:
    """Anybody: x-vector and pitch drawn as if they were spread evenly around the means of those that are known."""

    def __init__(self, listener, persons, speakers):
        folders, takes = {}, []
        with torch.no_grad():
            for name, clips in persons.learned.items():
                for warp in np.exp(np.linspace(*np.log(WARPS), 5)):
                    wave = resampled(torch.stack(clips), RATE / CLIP_RATE / warp)
                    pitch, vectors = median_pitch(wave.reshape(1, -1)), listener(wave)
                    takes.append(vectors - vectors.mean(0))
                    if not pitch.isnan():
                        folders.setdefault(name.split("/")[0], []).append(torch.cat([unit(vectors.mean(0)), pitch]))
        groups = [torch.stack(group) for group in folders.values()] + [torch.cat([speakers.heard, speakers.pitch[:, None]], 1)]
        self.means = torch.stack([group.mean(0) for group in groups])
        #: Each group counts for the same.
        self.spread = torch.cat([(group - group.mean(0)) / (len(group) * len(groups)) ** 0.5 for group in groups])
        #: How clips of one person differ; the half of their difference is in the mean of two or three.
        self.takes = torch.cat(takes) * (1.5 / sum(map(len, takes))) ** 0.5

    def draw(self, count):
        device = self.means.device
        normal = lambda table: torch.randn(count, len(table), device=device) @ table
        drawn = self.means[torch.randint(len(self.means), (count,), device=device)] + normal(self.spread)
        true, pitch = unit(drawn[:, :-1]), drawn[:, -1].clamp(6.1, 8.5)
        given = unit(true + 2 * torch.rand(count, 1, device=device) * normal(self.takes))
        return Heard(given, pitch + 0.03 * torch.randn_like(pitch), true, pitch)


def drawn_voices(speakers, count):
    """Vectors of speakers that are known, a little beside them, or mixes that are as far from the mean as people are."""
    device = speakers.mean.device
    pick = lambda: speakers.vectors[torch.randint(len(speakers.vectors), (count,), device=device)] - speakers.mean
    weight = torch.rand(count, 1, device=device)
    mix = (weight * pick() + (1 - weight) * pick()) / (weight**2 + (1 - weight) ** 2).sqrt()
    voices = torch.where(torch.rand(count, 1, device=device) < 0.5, pick(), mix)
    beside = (torch.randn(count, 64, device=device) * 0.2 * torch.rand(count, 1, device=device)) @ speakers.axes[:64]
    return speakers.mean + voices + beside


@torch.no_grad()
def spoken(piper, voices):
    """Two stretches of speech of each: twice [count, samples at 8 kHz], at one tape speed."""
    factor = RATE / PIPER_RATE / np.exp(np.random.uniform(*np.log(WARPS)))
    return [resampled(piper.say(voices, piper.priors(len(voices))), factor) for _ in (0, 1)]

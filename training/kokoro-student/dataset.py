"""All training pairs in device memory, separated by silence, and random crops of them."""

import glob
import os

import numpy as np
import torch

import student as st

CROP = 80
PAD = 20  # silence around each text, in frames of 40 Hz: context, overlap, and a margin for crops that start earlier
MAX_TEXTS = 60_000


class Pairs:
    def __init__(self, device, hours):
        frames = int(hours * 3600 * 40 * 1.35)
        self.device = device
        self.asr = torch.zeros(frames, st.ASR, dtype=torch.float16, device=device)
        self.pitch = torch.zeros(frames * 2, device=device)
        self.energy = torch.zeros(frames * 2, device=device)
        self.phase = torch.zeros(frames * 2, device=device)
        self.valid = torch.zeros(frames * 2, device=device)
        self.wave = torch.zeros(frames * 600, dtype=torch.int16, device=device)
        self.condition = torch.zeros(MAX_TEXTS if device == "cuda" else 1000, st.STYLE + st.SUMMARY, device=device)
        self.capacity = frames
        self.end = PAD
        self.starts, self.lengths = [], []
        self.seen = set()
        self.seconds = 0.0

    def add_new(self, folder, limit):
        names = [n for n in sorted(glob.glob(os.path.join(folder, "*.npz")), key=os.path.getmtime) if n not in self.seen and ".tmp" not in n]
        for name in names[:limit]:
            self.seen.add(name)
            self.add(name)
        if names:
            self.start = torch.tensor(self.starts, device=self.device)
            self.length = torch.tensor(self.lengths, device=self.device)
            self.share = self.length.float().clamp(min=40)
        return len(names)

    def add(self, name):
        shard = np.load(name)
        move = lambda key: torch.from_numpy(shard[key]).to(self.device)
        asr, pitch, energy, style, wave = (move(key) for key in ("asr", "pitch", "energy", "style", "wave"))
        at = 0
        for i, length in enumerate(shard["frames"].tolist()):
            space = length + PAD + max(0, CROP // 2 - length)
            if self.end + space > self.capacity or len(self.starts) == len(self.condition):
                return
            here, there = slice(2 * at, 2 * (at + length)), slice(2 * self.end, 2 * (self.end + length))
            self.asr[self.end : self.end + length] = asr[at : at + length]
            self.pitch[there] = pitch[here]
            self.energy[there] = energy[here]
            phase = st.running_phase(pitch[here])
            self.phase[there] = (phase - phase.floor()).float()
            self.valid[there] = 1
            self.wave[600 * self.end : 600 * (self.end + length)] = wave[600 * at : 600 * (at + length)]
            self.condition[len(self.starts)] = torch.cat([style[i, : st.STYLE], st.summary(asr[at : at + length].float(), pitch[here], energy[here])])
            self.starts.append(self.end)
            self.lengths.append(length)
            self.end += space
            self.seconds += length / 40
            at += length

    def draw(self, count, size):
        """Samples `count` batches: texts and first frames, each [count, size]."""
        pick = torch.multinomial(self.share, count * size, replacement=True)
        first, length = 2 * self.start[pick], 2 * self.length[pick]
        space = (length - CROP).clamp(min=0) + 12
        start = first - 6 + (torch.rand(count * size, device=self.device) * space).long()
        return pick.view(count, size), start.view(count, size)

    def batch(self, pick, start, context):
        """-> features, condition, the source's spectra, the teacher's samples"""
        rows = lambda x, lead, count: x[start[:, None] - lead + torch.arange(count, device=self.device)]
        reach = context + st.OVERLAP
        wide = reach + st.OVERLAP
        frames = CROP + 2 * reach
        pitch = rows(self.pitch, wide, CROP + 2 * wide)
        source = st.spectra(st.harmonic_source(pitch, rows(self.phase, wide, CROP + 2 * wide)), frames)
        indices = start[:, None] - reach + torch.arange(frames, device=self.device)
        asr = self.asr[indices // 2].float()
        features = st.frame_features(asr, rows(self.pitch, reach, frames), rows(self.energy, reach, frames), rows(self.valid, reach, frames), source)
        samples = self.wave[(start * st.HOP)[:, None] + torch.arange(CROP * st.HOP, device=self.device)]
        return features, self.condition[pick], source[:, context : context + CROP + 2 * st.OVERLAP], samples.float() / 32767

"""Cosine of the speakers' x-vectors of teacher and student, with Vosk's speaker model 0.4 (Kaldi nnet3, Apache-2.0).

  python xvectors.py MODEL_FOLDER EVALUATION.json FOLDER_OF_COMPARE
"""

import json
import math
import os
import re
import sys

import numpy as np
from scipy.signal import resample_poly


def read_model(folder):
    data = open(os.path.join(folder, "final.ext.raw"), "rb").read()
    layers = {}
    marks = [(m.start(), m.group(1).decode()) for m in re.finditer(rb"<ComponentName> (\S+) ", data)]
    for (start, name), (end, _) in zip(marks, marks[1:] + [(len(data), "")]):
        layers[name] = data[start:end]
    return layers


def tensor(blob, key):
    at = blob.index(key)
    at = blob.index(b"F", at + len(key))
    kind = blob[at : at + 3]
    rows = int.from_bytes(blob[at + 4 : at + 8], "little")
    if kind == b"FV ":
        return np.frombuffer(blob, "<f4", rows, at + 8)
    columns = int.from_bytes(blob[at + 9 : at + 13], "little")
    return np.frombuffer(blob, "<f4", rows * columns, at + 13).reshape(rows, columns)


def number(blob, key):
    at = blob.index(key) + len(key)
    return float(np.frombuffer(blob, "<f4", 1, at + 2)[0]) if blob[at : at + 1] == b" " else float(np.frombuffer(blob, "<f4", 1, at + 1)[0])


def mfcc(wave):
    """Kaldi's, with the model's settings: 8 kHz, 23 bands from 20 to 3700 Hz, 23 coefficients, the first replaced by the energy."""
    x = wave.astype(np.float64) * 32768
    frames = np.lib.stride_tricks.sliding_window_view(x, 200)[::80].copy()
    frames -= frames.mean(1, keepdims=True)
    energy = np.log(np.maximum((frames**2).sum(1), 1.2e-7))
    frames = np.concatenate([frames[:, :1] * 0.03, frames[:, 1:] - 0.97 * frames[:, :-1]], 1)
    window = (0.5 - 0.5 * np.cos(2 * np.pi * np.arange(200) / 199)) ** 0.85
    power = np.abs(np.fft.rfft(frames * window, 256)) ** 2
    to_mel = lambda f: 1127 * np.log(1 + f / 700)
    edges = np.linspace(to_mel(20), to_mel(3700), 25)
    bins = to_mel(np.arange(129) * 8000 / 256)[:, None]
    bank = np.clip(np.minimum((bins - edges[:-2]) / (edges[1:-1] - edges[:-2]), (edges[2:] - bins) / (edges[2:] - edges[1:-1])), 0, None)
    bands = np.log(np.maximum(power @ bank, 1.2e-7))
    n = np.arange(23)
    cosines = np.cos(np.pi / 23 * n[:, None] * (n + 0.5)) * np.sqrt(2 / 23)
    cosines[0] = np.sqrt(1 / 23)
    out = (bands @ cosines.T) * (1 + 11 * np.sin(np.pi * n / 22))
    out[:, 0] = energy
    return out


def sliding_mean(x, size=300):
    out = np.empty_like(x)
    for t in range(len(x)):
        start = max(0, min(t - size // 2, len(x) - size))
        out[t] = x[t] - x[start : start + size].mean(0)
    return out


class Speaker:
    OFFSETS = {"tdnn1": (-2, -1, 0, 1, 2), "tdnn2": (-2, 0, 2), "tdnn3": (-3, 0, 3), "tdnn4": (0,), "tdnn5": (0,)}

    def __init__(self, folder):
        layers = read_model(folder)
        self.affine = {n: (tensor(layers[n + ".affine"], b"<LinearParams>"), tensor(layers[n + ".affine"], b"<BiasParams>")) for n in (*self.OFFSETS, "tdnn6")}
        self.scale = {}
        for n in self.OFFSETS:
            blob = layers[n + ".batchnorm"]
            mean, variance = tensor(blob, b"<StatsMean>"), tensor(blob, b"<StatsVar>")
            scale = number(blob, b"<TargetRms>") / np.sqrt(variance + number(blob, b"<Epsilon>"))
            self.scale[n] = (scale, -mean * scale)
        read = lambda name: np.array(re.findall(r"[-\d.e+]+", open(os.path.join(folder, name)).read()), float)
        self.mean = read("mean.vec")
        raw = open(os.path.join(folder, "transform.mat"), "rb").read()
        self.transform = tensor(raw, b"\0B") if raw[:2] == b"\0B" else read("transform.mat").reshape(-1, len(self.mean))

    def __call__(self, wave):
        features = mfcc(resample_poly(wave, 1, 3))
        loud = features[:, 0] > features[:, 0].max() - 9
        x = sliding_mean(features)[loud]
        for name, offsets in self.OFFSETS.items():
            weights, bias = self.affine[name]
            rows = [x[np.clip(np.arange(len(x)) + o, 0, len(x) - 1)] for o in offsets]
            x = np.maximum(np.concatenate(rows, 1) @ weights.T + bias, 0)
            x = x * self.scale[name][0] + self.scale[name][1]
        pooled = np.concatenate([x.mean(0), np.sqrt(np.maximum(x.var(0), 1e-10))])
        weights, bias = self.affine["tdnn6"]
        vector = weights @ pooled + bias - self.mean
        columns = self.transform.shape[1]
        vector = self.transform[:, : len(vector)] @ vector + (self.transform[:, -1] if columns > len(vector) else 0)
        return vector / np.linalg.norm(vector)


def main(model, listing, folder):
    speaker, items = Speaker(model), json.load(open(listing))
    vectors = {kind: [speaker(np.fromfile(os.path.join(folder, f"{i}-{kind}.f32"), np.float32)) for i in range(len(items))] for kind in ("teacher", "student")}
    teacher, student = np.stack(vectors["teacher"]), np.stack(vectors["student"])
    same = (teacher * student).sum(1)
    others = teacher @ teacher.T
    voices = [item["voice"] for item in items]
    between = [others[i, j] for i in range(len(items)) for j in range(i) if voices[i] != voices[j]]
    again = [others[i, j] for i in range(len(items)) for j in range(i) if voices[i] == voices[j]]
    nearest = np.mean([int(np.argmax(teacher @ student[i])) == i for i in range(len(items))])
    print(f"teacher to student, same sentence: mean {same.mean():.4f}, least {same.min():.4f}")
    print(f"teacher to teacher: same voice, other sentence {np.mean(again) if again else math.nan:.3f}; other voices {np.mean(between):.3f}")
    print(f"the student's nearest teacher sentence is its own: {nearest:.0%}")
    print("lowest sentences:", [(voices[i], round(float(same[i]), 3)) for i in np.argsort(same)[:8]])
    by_voice(speaker, voices, folder)


def by_voice(speaker, voices, folder):
    """All sentences of a voice concatenated: x-vectors of short audio are unreliable."""
    found = {}
    for voice in sorted(set(voices)):
        join = lambda kind: np.concatenate([np.fromfile(os.path.join(folder, f"{i}-{kind}.f32"), np.float32) for i, v in enumerate(voices) if v == voice])
        teacher, student = join("teacher"), join("student")
        found[voice] = (float(speaker(teacher) @ speaker(student)), len(teacher) / 24_000)
    values = [cosine for cosine, _ in found.values()]
    print(f"by voice: mean {np.mean(values):.4f}, least {min(values):.4f}")
    for voice, (cosine, seconds) in sorted(found.items(), key=lambda pair: pair[1]):
        print(f"  {voice} {cosine:.3f} ({seconds:.0f} s)")


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Measures the student against its teacher on the evaluation pairs: figures, and pictures of a few spectra.

  python compare.py STUDENT.pt EVALUATION.npz EVALUATION.json OUT_FOLDER

Writes the audio of both as raw float32 beside the figures, for recognisers to listen to.
"""

import json
import os
import struct
import sys
import zlib

import numpy as np
import torch

import student as st
from losses import MelLoss, mel_bank

RATE = 24_000
STEP = 240


def pitch_of(wave):
    """F0 by normalised autocorrelation, a value each 10 ms; 0 where it is not clear."""
    size, low, high = 1200, RATE // 500, RATE // 60
    padded = np.pad(wave, (size // 2, size // 2 + high))
    starts = range(0, len(wave) - STEP, STEP)
    pitches = np.zeros(len(starts))
    for i, start in enumerate(starts):
        frame = padded[start : start + size + high].astype(np.float64)
        base = frame[:size]
        energy = (base**2).sum()
        if energy < size * 1e-5:
            continue
        spectrum = np.fft.rfft(frame, 4096)
        products = np.fft.irfft(np.conj(np.fft.rfft(base, 4096)) * spectrum)[:high]
        squares = np.cumsum(np.concatenate([[0], frame**2]))
        energies = squares[size : size + high] - squares[:high]
        score = products / np.sqrt(energy * energies + 1e-12)
        best = low + int(np.argmax(score[low:]))
        # The shortest period that is nearly as good is the voice's; its multiples are as good by nature.
        for period in range(low + 1, best):
            if score[period] > 0.93 * score[best] and score[period] >= score[period - 1] and score[period] >= score[period + 1]:
                best = period
                break
        if score[best] > 0.6:
            around = score[best - 1 : best + 2]
            bend = around[0] - 2 * around[1] + around[2] if len(around) == 3 else 0
            pitches[i] = RATE / (best + (0.5 * (around[0] - around[2]) / bend if bend < 0 else 0))
    return pitches


def bands(wave):
    """Mean level in 24 mel bands, dB."""
    spectrum = torch.stft(torch.from_numpy(wave), 2048, 512, 2048, torch.hann_window(2048), return_complex=True).abs() ** 2
    return 10 * np.log10((spectrum.mean(1) @ mel_bank(2048, 24, "cpu")).numpy() + 1e-9)


def level(wave, frames):
    return 10 * np.log10(np.square(wave.reshape(-1, 600)[frames]).mean(1) + 1e-12)


def below(wave, hertz):
    power = np.abs(np.fft.rfft(wave * np.hanning(len(wave)))) ** 2
    return 10 * np.log10(power[np.fft.rfftfreq(len(wave), 1 / RATE) < hertz].sum() / power.sum() + 1e-12)


def picture(waves, path):
    """Spectrograms one above the other, as a grey PNG."""
    rows = []
    for wave in waves:
        spectrum = torch.stft(torch.from_numpy(wave[: RATE * 4]), 1024, 120, 1024, torch.hann_window(1024), return_complex=True).abs().numpy()
        rows.append(np.clip((20 * np.log10(spectrum + 1e-5) + 60) / 95, 0, 1)[::-1])
        rows.append(np.ones((6, spectrum.shape[1])))
    image = (np.concatenate(rows) * 255).astype(np.uint8)
    raw = b"".join(b"\0" + row.tobytes() for row in image)
    chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    head = struct.pack(">IIBBBBB", image.shape[1], image.shape[0], 8, 0, 0, 0, 0)
    open(path, "wb").write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b""))


def main(weights, pairs, listing, out):
    os.makedirs(out, exist_ok=True)
    items, shard = json.load(open(listing)), np.load(pairs)
    model = st.Student().eval()
    model.load_state_dict({key: value.float() for key, value in torch.load(weights, map_location="cpu", weights_only=True).items()})
    mel = MelLoss("cpu")
    starts = np.concatenate([[0], np.cumsum(shard["frames"])])
    figures, long_term = [], []
    for i, item in enumerate(items):
        here, there = slice(starts[i], starts[i + 1]), slice(2 * starts[i], 2 * starts[i + 1])
        teacher = shard["wave"][600 * starts[i] : 600 * starts[i + 1]].astype(np.float32) / 32767
        path = os.path.join(out, f"{i}-student.f32")
        if os.path.exists(path):
            student = np.fromfile(path, np.float32)
        else:
            with torch.no_grad():
                inputs = (torch.from_numpy(x).float() for x in (shard["asr"][here], shard["pitch"][there], shard["energy"][there], shard["style"][i, : st.STYLE]))
                student = st.speak(model, *inputs).numpy()
            student.tofile(path)
            teacher.tofile(os.path.join(out, f"{i}-teacher.f32"))
        a, b = pitch_of(teacher), pitch_of(student)
        both = (a > 0) & (b > 0)
        peaks = np.abs(teacher.reshape(-1, 600)).max(1)
        silent = peaks < 2e-4
        # Deep silence: no speech in the frames before and after either.
        deep = silent & np.roll(silent, 1) & np.roll(silent, -1)
        long_term.append(bands(student) - bands(teacher))
        apart = np.abs(np.log2(a[both] / b[both]))
        figures.append({
            "voice": item["voice"],
            "mel": mel(torch.from_numpy(student)[None], torch.from_numpy(teacher)[None]).item(),
            "pitch_correlation": float(np.corrcoef(np.log(a[both]), np.log(b[both]))[0, 1]),
            "pitch_octave_errors": float((apart > 0.4).mean()),
            "pitch_correlation_without_them": float(np.corrcoef(np.log(a[both])[apart < 0.4], np.log(b[both])[apart < 0.4])[0, 1]),
            "voicing_agreement": float(((a > 0) == (b > 0)).mean()),
            "silence_worst": float(level(student, silent).max()) if silent.any() else None,
            "silence_deep_mean": float(level(student, deep).mean()) if deep.any() else None,
            "silence_deep_worst": float(level(student, deep).max()) if deep.any() else None,
            "loudness_difference": float(10 * np.log10(np.square(student).mean() / np.square(teacher).mean())),
            "below_40_hz": [float(below(teacher, 40)), float(below(student, 40))],
        })
        if i % 13 == 3:
            picture([teacher, student], os.path.join(out, f"{i}-{item['voice']}.png"))
    mean = lambda key: float(np.mean([f[key] for f in figures if f[key] is not None]))
    report = {key: mean(key) for key in ("mel", "pitch_correlation", "pitch_octave_errors", "pitch_correlation_without_them", "voicing_agreement", "loudness_difference", "silence_deep_mean")}
    report["silence_deep_worst"] = max(f["silence_deep_worst"] for f in figures if f["silence_deep_worst"] is not None)
    report["silence_worst"] = max(f["silence_worst"] for f in figures if f["silence_worst"] is not None)
    report["long_term_spectrum"] = {"mean_absolute_db": float(np.abs(np.mean(long_term, 0)).mean()), "bands": np.round(np.mean(long_term, 0), 2).tolist()}
    report["below_40_hz"] = np.mean([f["below_40_hz"] for f in figures], 0).tolist()
    report["worst_by_mel"] = [(f["voice"], round(f["mel"], 3)) for f in sorted(figures, key=lambda f: -f["mel"])[:5]]
    report["worst_by_pitch"] = [(f["voice"], round(f["pitch_correlation"], 3)) for f in sorted(figures, key=lambda f: f["pitch_correlation"])[:5]]
    json.dump({"report": report, "items": figures}, open(os.path.join(out, "figures.json"), "w"), indent=1)
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main(*sys.argv[1:])

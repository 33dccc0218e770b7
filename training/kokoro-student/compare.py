"""Measures the student against its teacher on the evaluation pairs: figures, and pictures of a few spectra.

  python compare.py STUDENT.pt EVALUATION.npz EVALUATION.json OUT_FOLDER

Writes the audio of both as raw float32 beside the figures, as input of the recognizers.
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
from pitch import frame_pitch, scores_of, tracked_pitch

RATE = 24_000


def agreement(a, b):
    """Of two pitch curves: correlation of log Hz where both are voiced, share of octave jumps there, agreement of voicing."""
    both = (a > 0) & (b > 0)
    x, y = np.log2(a[both]), np.log2(b[both])
    near = np.abs(x - y) < 0.4
    correlate = lambda x, y: float(np.corrcoef(x, y)[0, 1])
    return {"correlation": correlate(x, y), "octave_jumps": float((~near).mean()), "without_jumps": correlate(x[near], y[near]), "voicing": float(((a > 0) == (b > 0)).mean())}


def band_levels(wave):
    """Mean level in 24 mel bands, dB."""
    spectrum = torch.stft(torch.from_numpy(wave), 2048, 512, 2048, torch.hann_window(2048), return_complex=True).abs() ** 2
    return 10 * np.log10((spectrum.mean(1) @ mel_bank(2048, 24, "cpu")).numpy() + 1e-9)


def level_db(wave, frames):
    return 10 * np.log10(np.square(wave.reshape(-1, 600)[frames]).mean(1) + 1e-12)


def band_share(wave, low, high):
    """The share of the energy between two frequencies, in dB."""
    power = np.abs(np.fft.rfft(wave * np.hanning(len(wave)))) ** 2
    hertz = np.fft.rfftfreq(len(wave), 1 / RATE)
    return float(10 * np.log10(power[(hertz >= low) & (hertz < high)].sum() / power.sum() + 1e-12))


def save_spectrograms(waves, path):
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
    model = st.load(weights).eval()
    mel = MelLoss("cpu")
    starts = np.concatenate([[0], np.cumsum(shard["frames"])])
    figures, long_term, curves = [], [], []
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
        correlations = [scores_of(wave) for wave in (teacher, student)]
        curves.append([tracked_pitch(*scores) for scores in correlations])
        pitch = {"tracked": agreement(*curves[-1]), "each_frame": agreement(*(frame_pitch(*scores) for scores in correlations))}
        peaks = np.abs(teacher.reshape(-1, 600)).max(1)
        silent = peaks < 2e-4
        # Deep silence: no speech in the neighbouring frames either.
        deep = silent & np.roll(silent, 1) & np.roll(silent, -1)
        long_term.append(band_levels(student) - band_levels(teacher))
        figures.append({
            "voice": item["voice"],
            "mel": mel(torch.from_numpy(student)[None], torch.from_numpy(teacher)[None]).item(),
            "pitch": pitch,
            "pitch_correlation": pitch["tracked"]["correlation"],
            "silence_worst": float(level_db(student, silent).max()) if silent.any() else None,
            "silence_deep_mean": float(level_db(student, deep).mean()) if deep.any() else None,
            "silence_deep_worst": float(level_db(student, deep).max()) if deep.any() else None,
            "loudness_difference": float(10 * np.log10(np.square(student).mean() / np.square(teacher).mean())),
            "below_40_hz": [band_share(wave, 0, 40) for wave in (teacher, student)],
            "above_11_khz": [band_share(wave, 11_000, 12_001) for wave in (teacher, student)],
        })
        if i % 40 == 3:
            save_spectrograms([teacher, student], os.path.join(out, f"{i}-{item['voice']}.png"))
    mean = lambda key: float(np.mean([f[key] for f in figures if f[key] is not None]))
    report = {key: mean(key) for key in ("mel", "pitch_correlation", "loudness_difference", "silence_deep_mean")}
    report["pitch"] = {way: {key: round(float(np.mean([f["pitch"][way][key] for f in figures])), 4) for key in figures[0]["pitch"][way]} for way in ("tracked", "each_frame")}
    joined = lambda pairs: agreement(*(np.concatenate(side) for side in zip(*pairs)))
    report["pitch"]["tracked_all_frames_together"] = joined(curves)
    voices = sorted({item["voice"] for item in items})
    by_voice = {voice: joined([c for c, item in zip(curves, items) if item["voice"] == voice])["correlation"] for voice in voices}
    report["pitch"]["lowest_voices"] = sorted((round(value, 3), voice) for voice, value in by_voice.items())[:5]
    report["by_language"] = {code: {key: round(float(np.mean([f[key] for f, i in zip(figures, items) if i["language"] == code])), 3) for key in ("mel", "pitch_correlation")} for code in sorted({i["language"] for i in items})}
    report["silence_deep_worst"] = max(f["silence_deep_worst"] for f in figures if f["silence_deep_worst"] is not None)
    report["silence_worst"] = max(f["silence_worst"] for f in figures if f["silence_worst"] is not None)
    report["long_term_spectrum"] = {"mean_absolute_db": float(np.abs(np.mean(long_term, 0)).mean()), "bands": np.round(np.mean(long_term, 0), 2).tolist()}
    for key in ("below_40_hz", "above_11_khz"):
        report[key] = np.mean([f[key] for f in figures], 0).tolist()
        report[key + "_most_above_the_teacher"] = max((f[key][1] - f[key][0], f["voice"]) for f in figures)
    report["worst_by_mel"] = [(f["voice"], round(f["mel"], 3)) for f in sorted(figures, key=lambda f: -f["mel"])[:5]]
    report["worst_by_pitch"] = [(f["voice"], round(f["pitch_correlation"], 3)) for f in sorted(figures, key=lambda f: f["pitch_correlation"])[:5]]
    json.dump({"report": report, "items": figures}, open(os.path.join(out, "figures.json"), "w"), indent=1)
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main(*sys.argv[1:])

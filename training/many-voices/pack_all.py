"""Packs the training data: Kokoro's encoder half, Piper, sentences, and recordings of people.

  python pack_all.py PREPARED_FOLDER KOKORO.onnx KOKORO_Q8.onnx VOICES_FOLDER SPEAKER_MODEL_FOLDER WHISPER_ENCODER.onnx PACK_FOLDER WAVS_FOLDER...

PREPARED_FOLDER is the output of prepare.ts; each WAVS_FOLDER contains `PERSON-1.wav` and so on, as ../voice-encoder/people.ts writes them.
People in a folder with the name `readers` are for evaluation only.
"""

import glob
import gzip
import json
import os
import re
import shutil
import sys
import wave

import numpy as np
from scipy.signal import resample_poly

import paths  # noqa: F401  adds the other folders to the import path
import encoder_teacher
import speaker_loss
import half_precision
from sampling import ROW_STEP
from speaker_features import CLIP_RATE

TEXTS = 330
SECONDS, CLIPS = 5, {"people": 3, "training-people": 3, "readers": 8}


def quantized_rows(array):
    """8-bit rows with a scale each."""
    scale = np.maximum(np.abs(array).max(1, keepdims=True), 1e-6) / 127
    return np.round(array / scale).astype(np.int8), scale.astype(np.float32)


def pack_texts(path, target):
    data, at, arrays = open(path, "rb").read(), 0, {}
    for index in range(TEXTS):
        tokens, takes = np.frombuffer(data, "<i4", 2, at)
        numbers = np.frombuffer(data, "<f4", (2 * 192 + takes) * tokens, at + 8)
        at += 8 + numbers.nbytes
        for name, part in zip(("mean", "deviation"), numbers[: 2 * 192 * tokens].reshape(2, 192, tokens)):
            arrays[f"{name}{index}"], arrays[f"{name}{index}.scale"] = quantized_rows(part)
        arrays[f"frames{index}"] = numbers[2 * 192 * tokens :].reshape(takes, tokens).astype(np.uint8)
    np.savez_compressed(target, **arrays)


def mu_law(samples):
    """8 bits per sample, mu-law."""
    return np.round(np.sign(samples) * np.log1p(255 * np.abs(samples)) / np.log(256) * 127).astype(np.int8)


def pack_clips(folders, target):
    names, starts, audio = [], [0], []
    for folder in folders:
        max_clips = CLIPS[os.path.basename(folder)]
        for path in sorted(glob.glob(os.path.join(folder, f"*-[1-{max_clips}].wav"))):
            with wave.open(path) as file:
                rate = file.getframerate()
                samples = np.frombuffer(file.readframes(file.getnframes()), "<i2") / 32768
            samples = resample_poly(samples, CLIP_RATE // 1000, rate // 1000)[: SECONDS * CLIP_RATE]
            names.append(os.path.join(os.path.basename(folder), os.path.basename(path)[:-4]))
            audio.append(mu_law(samples * 0.5 / max(1e-4, np.abs(samples).max())))
            starts.append(starts[-1] + len(samples))
    np.savez_compressed(target, names=np.array(names), starts=np.array(starts), sound=np.concatenate(audio))
    print(f"{len(names)} clips of {len({name.rsplit('-', 1)[0] for name in names})} people")


def main(prepared, kokoro, kokoro_q8, voices, speaker, whisper, target, *folders):
    os.makedirs(target, exist_ok=True)
    to = lambda name: os.path.join(target, name)
    encoder_teacher.pack(kokoro, kokoro_q8, to("encoder.npz"))
    half_precision.to_half_precision(os.path.join(prepared, "piper.onnx"), to("piper.onnx"))
    pack_texts(os.path.join(prepared, "texts.bin"), to("texts.npz"))
    json.dump(json.load(open(os.path.join(prepared, "alignment.json")))[:TEXTS], open(to("alignment.json"), "w"))
    with gzip.open(to("stock.json.gz"), "wb") as file:
        file.write(open(os.path.join(prepared, "stock.json"), "rb").read())
    shutil.copyfile(whisper, to("whisper.onnx"))
    pack_clips(folders, to("clips.npz"))
    speaker_loss.pack(speaker, to("speaker.npz"), 12)
    speakers = np.fromfile(os.path.join(prepared, "speakers.bin"), "<f4").reshape(-1, 512)
    np.save(to("speakers.npy"), speakers.astype(np.float16))
    names = sorted(name for name in os.listdir(voices) if re.fullmatch(r"[a-z][fm]_[a-z]+\.bin", name))
    tables = {name[:-4]: np.fromfile(os.path.join(voices, name), np.float32).reshape(-1, 256)[::ROW_STEP] for name in names}
    np.savez_compressed(to("voices.npz"), **{name: table.astype(np.float16) for name, table in tables.items()})


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Packs what the training needs, to travel: Piper in half precision, sentences, and the persons' voices.

  python pack.py PREPARED_FOLDER SPEAKER_MODEL_FOLDER PACK_FOLDER WAVS_FOLDER...

PREPARED_FOLDER is what prepare.ts wrote, SPEAKER_MODEL_FOLDER holds Vosk's speaker model 0.4, each WAVS_FOLDER what people.ts
or kokoro.ts wrote: `PERSON-1.wav` and on. Folders are told apart by their last names.
"""

import glob
import os
import shutil
import sys
import wave

import numpy as np
import onnx
from onnx import numpy_helper
from scipy.signal import resample_poly

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "kokoro-student"))
import hearing
from listener import CLIP_RATE

#: Of each clip, and clips of each person at most.
SECONDS, CLIPS = 5, 3


def halved(path, target):
    model = onnx.load(path)
    for tensor in model.graph.initializer:
        array = numpy_helper.to_array(tensor)
        if array.dtype == np.float32 and array.size > 16:
            tensor.CopyFrom(numpy_helper.from_array(array.astype(np.float16), tensor.name))
    onnx.save(model, target)


def texts(path, target):
    data, at, arrays = open(path, "rb").read(), 0, {}
    index = 0
    while at < len(data):
        tokens, takes = np.frombuffer(data, "<i4", 2, at)
        numbers = np.frombuffer(data, "<f4", (2 * 192 + takes) * tokens, at + 8)
        at += 8 + numbers.nbytes
        mean, deviation = numbers[: 2 * 192 * tokens].reshape(2, 192, tokens)
        arrays[f"mean{index}"], arrays[f"deviation{index}"] = mean.astype(np.float16), np.exp(deviation).astype(np.float16)
        arrays[f"frames{index}"] = numbers[2 * 192 * tokens :].reshape(takes, tokens).astype(np.uint8)
        index += 1
    np.savez_compressed(target, **arrays)
    print(f"{index} texts")


def clips(folders, target):
    names, starts, sound = [], [0], []
    for path in sorted(path for folder in folders for path in glob.glob(os.path.join(folder, f"*-[1-{CLIPS}].wav"))):
        with wave.open(path) as file:
            rate = file.getframerate()
            samples = np.frombuffer(file.readframes(file.getnframes()), "<i2") / 32768
        samples = resample_poly(samples, CLIP_RATE // 1000, rate // 1000)[: SECONDS * CLIP_RATE]
        samples = samples * 0.5 / max(1e-4, np.abs(samples).max())
        names.append(os.path.join(os.path.basename(os.path.dirname(path)), os.path.basename(path)[:-4]))
        sound.append(np.round(samples * 32767).astype(np.int16))
        starts.append(starts[-1] + len(samples))
    np.savez_compressed(target, names=np.array(names), starts=np.array(starts), sound=np.concatenate(sound))
    persons = {name.rsplit("-", 1)[0] for name in names}
    print(f"{len(names)} clips of {len(persons)} persons, {starts[-1] / CLIP_RATE / 60:.1f} minutes")


def main(prepared, speaker, target, *folders):
    os.makedirs(target, exist_ok=True)
    halved(os.path.join(prepared, "piper.onnx"), os.path.join(target, "piper.onnx"))
    texts(os.path.join(prepared, "texts.bin"), os.path.join(target, "texts.npz"))
    clips(folders, os.path.join(target, "clips.npz"))
    hearing.pack(speaker, os.path.join(target, "speaker.npz"), 12)
    for name in ("speakers.bin", "heard.bin"):
        shutil.copy(os.path.join(prepared, name), target)


if __name__ == "__main__":
    main(*sys.argv[1:])

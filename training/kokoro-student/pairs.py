"""Makes pairs of decoder inputs and teacher's audio, in shards, until told to stop.

  python pairs.py PACK_FOLDER WORK_FOLDER WORKERS HOURS

PACK_FOLDER is what pack_teacher.py wrote. Each worker runs the encoder half on one CPU thread and the decoder half on the
GPU (if there is none: on the CPU). Shards land in WORK_FOLDER/pairs, written under another name first. It ends when HOURS of
audio are made, or when there is a file WORK_FOLDER/stop.
"""

import os
import sys
import time
import warnings

import numpy as np

from pack_teacher import VOICE_ROW_STEP, restore
from teacher import ASR, ENERGY, PITCH

SHARD_SECONDS = 150
LANGUAGES = {"en-us": 0.28, "en-gb": 0.14, "es": 0.13, "fr-fr": 0.13, "it": 0.13, "pt-br": 0.13, "hi": 0.06}
PREFIX = {"en-us": "a", "en-gb": "b", "es": "e", "fr-fr": "f", "it": "i", "pt-br": "p", "hi": "h"}


def load_texts(folder):
    file = np.load(os.path.join(folder, "texts.npz"))
    # Each look into the file unpacks it anew: once is enough.
    ids = np.split(file["ids"].astype(np.int64), np.cumsum(file["lengths"])[:-1])
    by_language = {name: np.flatnonzero((file["language"] == name) & (file["role"] == 0)) for name in LANGUAGES}
    held = np.flatnonzero(file["role"] == 1)
    return ids, by_language, held, file["language"]


class Halves:
    def __init__(self, pack, work):
        import onnxruntime
        import torch

        from teacher import Teacher

        torch.set_num_threads(1)
        # Ten bits of mantissa are enough for the teacher's convolutions.
        torch.backends.cudnn.allow_tf32 = True
        torch.backends.cuda.matmul.allow_tf32 = True
        self.torch = torch
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        self.encoder = onnxruntime.InferenceSession(os.path.join(work, "encoder.onnx"), options, providers=["CPUExecutionProvider"])
        matrix = np.load(os.path.join(pack, "source-transform.npy"))
        self.decoder = Teacher(os.path.join(work, "decoder.onnx"), self.device, matrix)
        voices = np.load(os.path.join(pack, "voices.npz"))
        self.voices = {name: voices[name].astype(np.float32) for name in voices.files}

    def style(self, voice, length):
        table = self.voices[voice]
        return table[min((length - 1) // VOICE_ROW_STEP, len(table) - 1)]

    def encode(self, ids, style, speed):
        inputs = {"input_ids": np.concatenate([[0], ids, [0]])[None].astype(np.int64), "style": style[None], "speed": np.array([speed], np.float32)}
        return self.encoder.run([ASR, PITCH, ENERGY], inputs)

    def decode(self, asr, pitch, energy, style):
        move = lambda x: self.torch.from_numpy(x).to(self.device)
        return self.decoder(move(asr), move(pitch), move(energy), move(style[None])).flatten().cpu().numpy()


def draw_style(random, halves, language, length):
    own = [name for name in halves.voices if name[0] == PREFIX[language]]
    every = list(halves.voices)
    pool = own if random.random() < 0.9 else every
    style = halves.style(pool[random.integers(len(pool))], length)
    if random.random() < 0.25:
        count = random.integers(2, 4)
        shares = random.dirichlet(np.ones(count))
        style = sum(share * halves.style(every[random.integers(len(every))], length) for share in shares)
    return np.ascontiguousarray(style, np.float32)


def draw_speed(random):
    return float(random.uniform(0.8, 1.25) if random.random() < 0.8 else np.exp(random.uniform(np.log(0.5), np.log(2))))


def save(path, made):
    arrays = {
        "asr": np.concatenate([m["asr"] for m in made]),
        "pitch": np.concatenate([m["pitch"] for m in made]),
        "energy": np.concatenate([m["energy"] for m in made]),
        "style": np.stack([m["style"] for m in made]),
        "frames": np.array([len(m["asr"]) for m in made], np.int32),
        "wave": np.concatenate([m["wave"] for m in made]),
        "index": np.array([m["index"] for m in made], np.int32),
    }
    np.savez(path + ".tmp.npz", **arrays)
    os.replace(path + ".tmp.npz", path)


def make(halves, ids, index, style, speed):
    asr, pitch, energy = halves.encode(ids, style, speed)
    if asr.shape[2] > 1800:
        return None
    wave = halves.decode(asr, pitch, energy, style)
    if not np.isfinite(wave).all():
        return None
    return {
        "asr": np.ascontiguousarray(asr[0].T).astype(np.float16),
        "pitch": pitch[0].astype(np.float32),
        "energy": energy[0].astype(np.float32),
        "style": style,
        "wave": np.clip(np.round(wave * 32767), -32768, 32767).astype(np.int16),
        "index": index,
    }


def work(worker, pack, folder, most):
    warnings.simplefilter("ignore")
    halves = Halves(pack, folder)
    ids, by_language, held, language_of = load_texts(pack)
    random = np.random.default_rng(1000 + worker)
    pairs = os.path.join(folder, "pairs")
    if worker == 0:
        check(halves, ids[held[5]], folder)
    if worker == min(1, most["workers"] - 1):
        chosen = held[:: max(1, len(held) // 32)][:32]
        made = [make(halves, ids[i], i, draw_style(random, halves, str(language_of[i]), len(ids[i])), 1.0) for i in chosen if len(ids[i]) < 200]
        save(os.path.join(folder, "validation.npz"), [m for m in made if m])
    names, shares = list(LANGUAGES), np.array(list(LANGUAGES.values()))
    shard, total, started = 0, 0.0, time.time()
    while total < most["hours"] * 3600 / most["workers"] and not os.path.exists(os.path.join(folder, "stop")):
        made, seconds = [], 0.0
        # The first shards are small, so that training can begin.
        while seconds < (40 if shard == 0 else SHARD_SECONDS):
            language = names[random.choice(len(names), p=shares / shares.sum())]
            index = int(random.choice(by_language[language]))
            style = draw_style(random, halves, language, len(ids[index]))
            pair = make(halves, ids[index], index, style, draw_speed(random))
            if pair:
                made.append(pair)
                seconds += len(pair["wave"]) / 24000
        save(os.path.join(pairs, f"{worker:02d}-{shard:04d}.npz"), made)
        shard += 1
        total += seconds
        print(f"worker {worker} shard {shard} audio {total:.0f} s, {total / (time.time() - started):.1f} x real time", flush=True)


def check(halves, ids, folder):
    """The teacher on this device against onnxruntime. Both round differently, and the source's phase shows it."""
    import onnxruntime

    if halves.device == "cpu":
        return
    style = np.ascontiguousarray(halves.style("af_heart", len(ids)))
    inputs = halves.encode(ids, style, 1.0)
    ours = halves.decode(*inputs, style)
    session = onnxruntime.InferenceSession(os.path.join(folder, "decoder.onnx"), providers=["CPUExecutionProvider"])
    theirs = session.run(None, dict(zip((ASR, PITCH, ENERGY, "style"), (*inputs, style[None]))))[0].ravel()
    level = lambda x: np.log(np.abs(np.fft.rfft(np.lib.stride_tricks.sliding_window_view(x, 1024)[::256] * np.hanning(1024))) + 1e-3)
    print("check: correlation", np.corrcoef(ours, theirs)[0, 1], "mean log spectrum difference", np.abs(level(ours) - level(theirs)).mean(), flush=True)


if __name__ == "__main__":
    import multiprocessing

    pack, folder, workers, hours = sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4])
    os.makedirs(os.path.join(folder, "pairs"), exist_ok=True)
    if not os.path.exists(os.path.join(folder, "decoder.onnx")):
        restore(pack, folder)
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=work, args=(i, pack, folder, {"hours": hours, "workers": workers})) for i in range(workers)]
    [process.start() for process in processes]
    [process.join() for process in processes]

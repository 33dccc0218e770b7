"""Makes pairs of decoder inputs and teacher's audio, in shards, until told to stop.

  python pairs.py PACK_FOLDER ENCODER.npz TEXTS.npz WORK_FOLDER WORKERS HOURS

PACK_FOLDER is what pack_teacher.py wrote; ENCODER.npz and TEXTS.npz come from ../kokoro-reader. Each worker runs the encoder half on
one CPU thread and the decoder half on the GPU (if there is none: on the CPU). Shards land in WORK_FOLDER/pairs, written under another
name first. It ends when HOURS of audio are made, or when there is a file WORK_FOLDER/stop.
"""

import os
import sys
import time
import warnings

import numpy as np

from pack_teacher import restore
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../kokoro-reader"))
from draw import Styles, Texts

SHARD_SECONDS = 150


class Halves:
    def __init__(self, pack, encoder, work):
        import torch

        from encoder_teacher import Teacher as Encoder
        from teacher import Teacher

        torch.set_num_threads(1)
        # Ten bits of mantissa are enough for the teacher's convolutions.
        torch.backends.cudnn.allow_tf32 = True
        torch.backends.cuda.matmul.allow_tf32 = True
        self.torch = torch
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.encoder = Encoder(encoder, "cpu")
        matrix = np.load(os.path.join(pack, "source-transform.npy"))
        self.decoder = Teacher(os.path.join(work, "decoder.onnx"), self.device, matrix)

    def encode(self, ids, style, speed):
        ids = self.torch.from_numpy(np.concatenate([[0], ids, [0]])[None].astype(np.int64))
        said = self.encoder(ids, self.torch.tensor([ids.shape[1]]), self.torch.from_numpy(style[None]), speed)
        asr = said["sounds"][0, said["index"][0]].T[None]
        return asr.contiguous().numpy(), said["pitch"].numpy(), said["energy"].numpy()

    def decode(self, asr, pitch, energy, style):
        move = lambda x: self.torch.from_numpy(x).to(self.device)
        return self.decoder(move(asr), move(pitch), move(energy), move(style[None])).flatten().cpu().numpy()


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


def work(worker, pack, encoder, texts, folder, most):
    warnings.simplefilter("ignore")
    halves = Halves(pack, encoder, folder)
    texts, styles = Texts(texts), Styles(os.path.join(pack, "voices.npz"))
    random = np.random.default_rng(1000 + worker)
    pairs = os.path.join(folder, "pairs")
    if worker == min(1, most["workers"] - 1):
        held = [(language, text) for language in texts.names for text in [t for t in texts.held[language] if 20 < len(t) < 120][:3]]
        made = [make(halves, text, 0, styles.draw(random, language, len(text)), 1.0) for language, text in held]
        save(os.path.join(folder, "validation.npz"), [m for m in made if m])
    shard, total, started = 0, 0.0, time.time()
    while total < most["hours"] * 3600 / most["workers"] and not os.path.exists(os.path.join(folder, "stop")):
        made, seconds = [], 0.0
        # The first shards are small, so that training can begin.
        while seconds < (40 if shard == 0 else SHARD_SECONDS):
            language, ids = texts.draw(random)
            pair = make(halves, ids, 0, styles.draw(random, language, len(ids)), draw_speed(random))
            if pair:
                made.append(pair)
                seconds += len(pair["wave"]) / 24000
        save(os.path.join(pairs, f"{worker:02d}-{shard:04d}.npz"), made)
        shard += 1
        total += seconds
        print(f"worker {worker} shard {shard} audio {total:.0f} s, {total / (time.time() - started):.1f} x real time", flush=True)


if __name__ == "__main__":
    import multiprocessing

    pack, encoder, texts, folder, workers, hours = *sys.argv[1:5], int(sys.argv[5]), float(sys.argv[6])
    os.makedirs(os.path.join(folder, "pairs"), exist_ok=True)
    if not os.path.exists(os.path.join(folder, "decoder.onnx")):
        restore(pack, folder)
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=work, args=(i, pack, encoder, texts, folder, {"hours": hours, "workers": workers})) for i in range(workers)]
    [process.start() for process in processes]
    [process.join() for process in processes]

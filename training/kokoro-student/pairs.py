"""Makes training pairs (inputs of the decoder, audio of the teacher) in shards.

  python pairs.py PACK_FOLDER ENCODER.npz TEXTS.npz WORK_FOLDER WORKERS HOURS

PACK_FOLDER is the output of pack_teacher.py; ENCODER.npz and TEXTS.npz come from ../kokoro-reader. Each worker runs the encoder half on
one CPU thread and the decoder half on the GPU, or on the CPU if there is none. Shards are renamed to WORK_FOLDER/pairs when they are
complete. It ends after HOURS of audio, or when the file WORK_FOLDER/stop exists.
"""

import os
import sys
import time
import warnings

import numpy as np

from pack_teacher import restore
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../kokoro-reader"))
from sampling import Styles, Texts

SHARD_SECONDS = 150


class Halves:
    def __init__(self, pack, encoder, work):
        import torch

        from encoder_teacher import Teacher as Encoder
        from teacher import Teacher

        torch.set_num_threads(1)
        # TF32 is precise enough for the teacher's convolutions.
        torch.backends.cudnn.allow_tf32 = True
        torch.backends.cuda.matmul.allow_tf32 = True
        self.torch = torch
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.encoder = Encoder(encoder, "cpu")
        matrix = np.load(os.path.join(pack, "source-transform.npy"))
        self.decoder = Teacher(os.path.join(work, "decoder.onnx"), self.device, matrix)

    def encode(self, ids, style, speed):
        ids = self.torch.from_numpy(np.concatenate([[0], ids, [0]])[None].astype(np.int64))
        encoded = self.encoder(ids, self.torch.tensor([ids.shape[1]]), self.torch.from_numpy(style[None]), speed)
        asr = encoded["text_features"][0, encoded["index"][0]].T[None]
        return asr.contiguous().numpy(), encoded["pitch"].numpy(), encoded["energy"].numpy()

    def decode(self, asr, pitch, energy, style):
        move = lambda x: self.torch.from_numpy(x).to(self.device)
        return self.decoder(move(asr), move(pitch), move(energy), move(style[None])).flatten().cpu().numpy()


def draw_speed(random):
    return float(random.uniform(0.8, 1.25) if random.random() < 0.8 else np.exp(random.uniform(np.log(0.5), np.log(2))))


def save(path, generated):
    arrays = {
        "asr": np.concatenate([m["asr"] for m in generated]),
        "pitch": np.concatenate([m["pitch"] for m in generated]),
        "energy": np.concatenate([m["energy"] for m in generated]),
        "style": np.stack([m["style"] for m in generated]),
        "frames": np.array([len(m["asr"]) for m in generated], np.int32),
        "wave": np.concatenate([m["wave"] for m in generated]),
        "index": np.array([m["index"] for m in generated], np.int32),
    }
    np.savez(path + ".tmp.npz", **arrays)
    os.replace(path + ".tmp.npz", path)


def make_pair(halves, ids, index, style, speed):
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


def work(worker, pack, encoder, texts, folder, limits):
    warnings.simplefilter("ignore")
    halves = Halves(pack, encoder, folder)
    texts, styles = Texts(texts), Styles(os.path.join(pack, "voices.npz"))
    random = np.random.default_rng(1000 + worker)
    pairs = os.path.join(folder, "pairs")
    if worker == min(1, limits["workers"] - 1):
        held_out = [(language, text) for language in texts.names for text in [t for t in texts.held_out_texts[language] if 20 < len(t) < 120][:3]]
        generated = [make_pair(halves, text, 0, styles.draw(random, language, len(text)), 1.0) for language, text in held_out]
        save(os.path.join(folder, "validation.npz"), [m for m in generated if m])
    shard, total, started = 0, 0.0, time.time()
    while total < limits["hours"] * 3600 / limits["workers"] and not os.path.exists(os.path.join(folder, "stop")):
        generated, seconds = [], 0.0
        # The first shards are small, so that training can start early.
        while seconds < (40 if shard == 0 else SHARD_SECONDS):
            language, ids = texts.draw(random)
            pair = make_pair(halves, ids, 0, styles.draw(random, language, len(ids)), draw_speed(random))
            if pair:
                generated.append(pair)
                seconds += len(pair["wave"]) / 24000
        save(os.path.join(pairs, f"{worker:02d}-{shard:04d}.npz"), generated)
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

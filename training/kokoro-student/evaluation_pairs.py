"""Makes the evaluation pairs: inputs and outputs of Kokoro's decoder in float32 on onnxruntime, the reference for the student.

  python evaluation_pairs.py KOKORO.onnx VOICES_FOLDER EVALUATION.json EVALUATION.npz [PROCESSES]

It runs at about real time. Finished items are kept in EVALUATION.npz.items, so that an interrupted run can be resumed.
"""

import json
import multiprocessing
import os
import sys

import numpy as np

from pack_teacher import halves
from pairs import save
from teacher import ASR, ENERGY, PITCH


def work(first, step, kokoro, voices, items, folder):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    encoder, decoder = (onnxruntime.InferenceSession(half.SerializeToString(), options) for half in halves(kokoro))
    for index in range(first, len(items), step):
        path = os.path.join(folder, f"{index}.npz")
        if os.path.exists(path):
            continue
        item = items[index]
        ids = np.array(item["ids"], np.int64)
        table = np.fromfile(os.path.join(voices, item["voice"] + ".bin"), np.float32).reshape(-1, 256)
        style = table[min(len(ids) - 1, len(table) - 1)][None]
        inputs = {"input_ids": np.concatenate([[0], ids, [0]])[None], "style": style, "speed": np.ones(1, np.float32)}
        asr, pitch, energy = encoder.run([ASR, PITCH, ENERGY], inputs)
        wave = decoder.run(None, {ASR: asr, PITCH: pitch, ENERGY: energy, "style": style})[0].ravel()
        np.savez(path + ".tmp.npz", asr=asr[0].T.astype(np.float16), pitch=pitch[0], energy=energy[0], style=style[0], wave=np.clip(np.round(wave * 32767), -32768, 32767).astype(np.int16))
        os.replace(path + ".tmp.npz", path)


def main(kokoro, voices, listing, out, processes="2"):
    items, folder = json.load(open(listing)), out + ".items"
    os.makedirs(folder, exist_ok=True)
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=work, args=(i, int(processes), kokoro, voices, items, folder)) for i in range(int(processes))]
    [worker.start() for worker in workers]
    [worker.join() for worker in workers]
    made = [{**np.load(os.path.join(folder, f"{index}.npz")), "index": index} for index in range(len(items))]
    save(out, made)


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Word errors of Whisper base (the q8 ONNX files of transformers.js) on teacher and student, by language.

  python listen_whisper.py WHISPER_FOLDER EVALUATION.json FOLDER_OF_COMPARE [LANGUAGE ...]
"""

import json
import os
import re
import sys

import numpy as np
import onnxruntime
from scipy.signal import resample_poly

CODES = {"en-us": "en", "en-gb": "en", "es": "es", "fr-fr": "fr", "it": "it", "pt-br": "pt", "hi": "hi"}


def slaney_bank():
    def to_mel(f):
        return np.where(f < 1000, f * 3 / 200, 15 + np.log(np.maximum(f, 1) / 1000) / (np.log(6.4) / 27))

    def to_hertz(m):
        return np.where(m < 15, m * 200 / 3, 1000 * np.exp((m - 15) * np.log(6.4) / 27))

    edges = to_hertz(np.linspace(0, to_mel(np.array(8000.0)), 82))
    bins = np.linspace(0, 8000, 201)[:, None]
    bank = np.minimum((bins - edges[:-2]) / (edges[1:-1] - edges[:-2]), (edges[2:] - bins) / (edges[2:] - edges[1:-1]))
    return np.clip(bank, 0, None) * (2 / (edges[2:] - edges[:-2]))


def features(wave):
    x = np.zeros(480_000)
    x[: len(wave)] = wave[:480_000]
    x = np.pad(x, 200, mode="reflect")
    window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(400) / 400)
    power = np.abs(np.fft.rfft(np.lib.stride_tricks.sliding_window_view(x, 400)[::160][:3000] * window)) ** 2
    level = np.log10(np.maximum(power @ slaney_bank(), 1e-10))
    return ((np.maximum(level, level.max() - 8) + 4) / 4).T[None].astype(np.float32)


class Whisper:
    def __init__(self, folder):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 2
        open_ = lambda name: onnxruntime.InferenceSession(os.path.join(folder, "onnx", name), options)
        self.encoder, self.decoder = open_("encoder_model_quantized.onnx"), open_("decoder_model_merged_quantized.onnx")
        tokenizer = json.load(open(os.path.join(folder, "tokenizer.json")))
        self.special = {t["content"]: t["id"] for t in tokenizer["added_tokens"]}
        self.words = {i: w for w, i in tokenizer["model"]["vocab"].items()}
        printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
        rest = [b for b in range(256) if b not in printable]
        self.bytes = {chr(b): b for b in printable} | {chr(256 + i): b for i, b in enumerate(rest)}

    def __call__(self, wave, language):
        hidden = self.encoder.run(None, {"input_features": features(wave)})[0]
        names = ("<|startoftranscript|>", f"<|{language}|>", "<|transcribe|>", "<|notimestamps|>")
        tokens, end = [self.special[n] for n in names], self.special["<|endoftext|>"]
        cache = {i.name: np.zeros((1, i.shape[1], 0, i.shape[3]), np.float32) for i in self.decoder.get_inputs() if i.name.startswith("past")}
        outputs = [o.name for o in self.decoder.get_outputs()]
        decoded, new = [], tokens
        while len(decoded) < 120:
            inputs = {"input_ids": np.array([new], np.int64), "encoder_hidden_states": hidden, "use_cache_branch": np.array([bool(decoded)]), **cache}
            result = dict(zip(outputs, self.decoder.run(None, inputs)))
            logits = result["logits"][0, -1]
            logits[end + 1 :] = -np.inf
            token = int(logits.argmax())
            for name in cache:
                if not decoded or ".encoder." not in name:
                    cache[name] = result[name.replace("past_key_values", "present")]
            if token == end:
                break
            decoded.append(token)
            new = [token]
        text = "".join(self.words.get(t, "") for t in decoded)
        return bytes(self.bytes[c] for c in text if c in self.bytes).decode("utf8", "replace")


def words(text):
    return [w for w in re.split(r"[^\w]+", re.sub("[’']", "", text.lower())) if w]


def errors(reference, recognized):
    row = list(range(len(recognized) + 1))
    for i, a in enumerate(reference):
        new = [i + 1]
        for j, b in enumerate(recognized):
            new.append(min(row[j] + (a != b), row[j + 1] + 1, new[j] + 1))
        row = new
    return row[-1]


def main(model, listing, folder, *languages):
    whisper, items, totals = Whisper(model), json.load(open(listing)), {}
    for i, item in enumerate(items):
        code = CODES[item["language"]]
        if languages and code not in languages:
            continue
        for kind in ("teacher", "student"):
            wave = resample_poly(np.fromfile(os.path.join(folder, f"{i}-{kind}.f32"), np.float32), 2, 3)
            recognized = whisper(wave, code)
            total = totals.setdefault(code, {}).setdefault(kind, [0, 0])
            count = errors(words(item["text"]), words(recognized))
            total[0] += count
            total[1] += len(words(item["text"]))
            if count:
                print(item["voice"], kind, count, "|", item["text"], "|", recognized, flush=True)
    for code, kinds in totals.items():
        print(code, {kind: f"{e}/{n} = {100 * e / n:.1f} %" for kind, (e, n) in kinds.items()}, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Splits Kokoro into encoder and decoder, packs the decoder's weights into several files, and selects the evaluation texts.

12 bits per value, with a scale for each row. The encoder half is packed by ../kokoro-reader/encoder_teacher.py.

  python pack_teacher.py KOKORO.onnx VOICES_FOLDER OUT_FOLDER [TEXTS.json]
"""

import json
import os
import re
import sys
import zlib

import numpy as np
import onnx
import onnxruntime
from onnx import helper, numpy_helper

from teacher import ASR, DURATIONS, ENERGY, PITCH  # adds the folder of packing.py to the path
from packing import pack_rows, unpack_rows

FLOAT, INT64 = 1, 7
VOICE_ROW_STEP = 8
BITS = 12
PARTS = 3


def cut(model, inputs, outputs):
    producers = {name: node for node in model.graph.node for name in node.output}
    weights = {tensor.name: tensor for tensor in model.graph.initializer}
    kept, used, wanted = set(), set(), [name for name, *_ in outputs]
    given = {name for name, *_ in inputs}
    while wanted:
        name = wanted.pop()
        if name in given or name == "":
            continue
        if name in producers:
            node = producers[name]
            if id(node) not in kept:
                kept.add(id(node))
                wanted.extend(node.input)
        else:
            used.add(weights[name].name)
    ports = lambda list_: [helper.make_tensor_value_info(*port) for port in list_]
    nodes = [node for node in model.graph.node if id(node) in kept]
    graph = helper.make_graph(nodes, "half", ports(inputs), ports(outputs), [weights[name] for name in sorted(used)])
    return helper.make_model(graph, opset_imports=model.opset_import, ir_version=model.ir_version)


def halves(path):
    model = onnx.load(path)
    style, speed = ("style", FLOAT, [1, 256]), ("speed", FLOAT, [1])
    encoder = cut(model, [("input_ids", INT64, [1, "tokens"]), style, speed], [(name, FLOAT, None) for name in (ASR, PITCH, ENERGY, DURATIONS)])
    decoder = cut(model, [(ASR, FLOAT, [1, 512, "T"]), (PITCH, FLOAT, [1, "U"]), (ENERGY, FLOAT, [1, "U"]), style], [("waveform", FLOAT, None)])
    return encoder, decoder


def source_transform(decoder):
    """onnxruntime's transform of the teacher's source as a matrix [20, 22].

    The source is constant in unvoiced frames, so most bins are rounding errors there, and the teacher uses their angle. The
    errors are linear in the input, so a least-squares fit reproduces them.
    """
    stft, framed = "/decoder/decoder/generator/STFT_output_0", "/decoder/decoder/generator/Reshape_3_output_0"
    part = cut(decoder, [(PITCH, FLOAT, [1, "U"])], [(stft, FLOAT, None), (framed, FLOAT, None)])
    session = onnxruntime.InferenceSession(part.SerializeToString())
    inputs, outputs = [], []
    random = np.random.default_rng(1)
    for base in (60, 90, 120, 180, 260, 400):
        pitch = np.zeros((1, 200), np.float32)
        pitch[0, 20:180] = base + base * 0.2 * np.sin(np.arange(160) / random.uniform(4, 12))
        bins, samples = session.run(None, {PITCH: pitch})
        inputs.append(np.lib.stride_tricks.sliding_window_view(samples.ravel(), 20)[::5].astype(np.float64))
        outputs.append(bins[0].reshape(-1, 22).astype(np.float64))
    inputs, outputs = np.concatenate(inputs), np.concatenate(outputs)
    exact = np.fft.rfft(np.eye(20) * np.hanning(21)[:20, None])
    exact = np.stack([exact.real, exact.imag], -1).reshape(20, 22)
    return exact + np.linalg.lstsq(inputs, outputs - inputs @ exact, rcond=1e-4)[0]


def skeleton(model, blobs, places, bits):
    """Moves large weights of a model into blobs."""
    for tensor in model.graph.initializer:
        array = numpy_helper.to_array(tensor)
        if array.dtype == np.float32 and array.size > 4096:
            # Short rows share one scale.
            shape = list(array.shape)
            view = array if array.size / array.shape[0] >= 32 else array.reshape(1, -1)
            blob = pack_rows(view, bits)
            places[tensor.name] = {"shape": shape, "rows": list(view.shape), "at": sum(map(len, blobs)), "bytes": len(blob)}
            blobs.append(blob)
            tensor.CopyFrom(numpy_helper.from_array(np.zeros(0, np.float32), tensor.name))
    return model


def restore(folder, out):
    """Writes decoder.onnx from the packed files."""
    blob = b"".join(open(os.path.join(folder, name), "rb").read() for name in (f"part-{part}.bin" for part in range(PARTS)))
    places = json.load(open(os.path.join(folder, "places.json")))
    model = onnx.load(os.path.join(folder, "decoder-skeleton.onnx"))
    for tensor in model.graph.initializer:
        place = places.get(tensor.name)
        if place:
            array = unpack_rows(blob[place["at"] : place["at"] + place["bytes"]], place["rows"], BITS)
            tensor.CopyFrom(numpy_helper.from_array(array.reshape(place["shape"]), tensor.name))
    onnx.save(model, os.path.join(out, "decoder.onnx"))


def main(kokoro, voices, out, texts=None):
    os.makedirs(out, exist_ok=True)
    _, decoder = halves(kokoro)
    np.save(os.path.join(out, "source-transform.npy"), source_transform(decoder))
    blobs, places = [], {}
    onnx.save(skeleton(decoder, blobs, places, BITS), os.path.join(out, "decoder-skeleton.onnx"))
    json.dump(places, open(os.path.join(out, "places.json"), "w"))
    blob = b"".join(blobs)
    for part in range(PARTS):
        open(os.path.join(out, f"part-{part}.bin"), "wb").write(blob[part * len(blob) // PARTS : (part + 1) * len(blob) // PARTS])
    # Styles change slowly with the length of the text: every eighth row is enough.
    tables = {}
    for name in sorted(os.listdir(voices)):
        if re.fullmatch(r"[a-z][fm]_[a-z]+\.bin", name):
            table = np.fromfile(os.path.join(voices, name), np.float32).reshape(-1, 256)
            tables[name.removesuffix(".bin")] = table[::VOICE_ROW_STEP].astype(np.float16)
    np.savez_compressed(os.path.join(out, "voices.npz"), **tables)
    if texts:
        json.dump(evaluation_items(json.load(open(texts)), sorted(tables)), open(os.path.join(out, "evaluation.json"), "w"))


def roles(items):
    """0: for training · 1: held out · 2: contains a held-out sentence, not used."""
    held = {item["text"] for item in items if len(item["text"]) > 20 and zlib.crc32(item["text"].encode()) % 25 == 0}
    within = lambda text: any(sentence in text for sentence in held)
    return np.array([1 if item["text"] in held else 2 if within(item["text"]) else 0 for item in items], np.int8)


def evaluation_items(items, voices):
    """Held-out sentences, several for each voice in its own language; each sentence is used once per language."""
    languages = {"a": "en-us", "b": "en-gb", "e": "es", "f": "fr-fr", "h": "hi", "i": "it", "p": "pt-br"}
    repeats = {"a": 3, "b": 3, "e": 11, "f": 33, "h": 3, "i": 17, "p": 11}
    # Numbers, signs and capitals can be written in many ways: another spelling by the recognizer is no error of the voice.
    readable = lambda text: not re.search(r"[^\w\s\u0900-\u097f.,;:?!'’-]|\d|[A-Z]{2}|[a-z][A-Z]", text)
    seen, chosen, role = set(), [], roles(items)
    for voice in voices:
        if voice[0] not in languages:
            continue
        language = languages[voice[0]]
        fitting = (i for i, item in enumerate(items) if role[i] == 1 and (language, item["text"]) not in seen and item["language"] == language and 25 <= len(item["ids"]) <= 140 and readable(item["text"]))
        for _ in range(repeats[voice[0]]):
            index = next(fitting, None)
            if index is None:
                break
            seen.add((language, items[index]["text"]))
            chosen.append({"voice": voice, "index": index, **items[index]})
    return chosen


if __name__ == "__main__":
    main(*sys.argv[1:])

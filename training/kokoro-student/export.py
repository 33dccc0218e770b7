"""Writes the trained student as ONNX (matrix products in 8 bits, other weights in float16), and reference vectors for the engine's test.

  python export.py STUDENT.pt EVALUATION.npz OUT_FOLDER

The reference.bin of an earlier student can replace EVALUATION.npz: it holds the same inputs.
"""

import io
import json
import os
import sys

import numpy as np
import onnx
import torch
from onnx import helper

import student as st
from quantise import QuantLinear, layers, slim, to_integers  # student.py adds its folder to the path

OUTPUTS = ("gain_re", "gain_im", "noise_gain", "free_re", "free_im")


class Runtime(torch.nn.Module):
    """The exported network with the interface of the student. Torch and onnxruntime may round to different 8-bit values."""

    def __init__(self, path, context):
        super().__init__()
        import onnxruntime

        self.session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
        self.context = context

    def forward(self, features, condition):
        return torch.stack([torch.from_numpy(x) for x in self.session.run(None, {"features": features.numpy(), "condition": condition.numpy()})])


class Named(torch.nn.Module):
    """The network with the engine's interface: named outputs."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, features, condition):
        return tuple(self.model(features, condition).unbind(0))


def to_onnx(model):
    buffer = io.BytesIO()
    frames = 40
    example = (torch.randn(1, frames + 2 * model.context, st.FEATURES), torch.randn(1, st.STYLE + st.SUMMARY))
    axes = {"features": {1: "frames_and_context"}, **{name: {1: "frames"} for name in OUTPUTS}}
    for layer in layers(model):
        layer.learn = False
    torch.onnx.export(Named(model), example, buffer, input_names=["features", "condition"], output_names=list(OUTPUTS), dynamic_axes=axes, opset_version=18, dynamo=False)
    onnx_model = onnx.load_from_string(buffer.getvalue())
    coarse = dict(model.named_modules())

    def named(node):
        layer = coarse.get(node.name.strip("/").rsplit("/", 1)[0].replace("/", ".").removeprefix("model."))
        return layer if node.op_type == "MatMul" and isinstance(layer, QuantLinear) else None

    to_integers(onnx_model.graph, named)
    onnx_model.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    return slim(onnx_model, 256)


def read_reference(path):
    head, _, body = open(path, "rb").read().partition(b"\n")
    arrays, at = {}, 0
    for name, kept in json.loads(head).items():
        array = np.frombuffer(body, kept["type"], int(np.prod(kept["shape"])), at).reshape(kept["shape"])
        arrays[name], at = array, at + array.nbytes
    return arrays


def short_text(path, frames):
    """The inputs of the decoder for a short text: text features, pitch, energy, style."""
    if path.endswith(".bin"):
        kept = read_reference(path)
        return tuple(torch.tensor(kept[name]).float() for name in ("asr", "pitch", "energy", "style"))
    shard = np.load(path)
    starts = np.concatenate([[0], np.cumsum(shard["frames"])])
    # The middle of the first text: it has voiced and unvoiced, loud and quiet frames.
    first = starts[0] + shard["frames"][0] // 3
    here, there = slice(first, first + frames // 2), slice(2 * first, 2 * first + frames)
    asr, pitch, energy = (torch.from_numpy(shard[k][s]).float() for k, s in (("asr", here), ("pitch", there), ("energy", there)))
    return asr, pitch, energy, torch.from_numpy(shard["style"][0, : st.STYLE])


def reference(model, path, frames=36):
    """Inputs, intermediate values and outputs of a short text."""
    asr, pitch, energy, style = short_text(path, frames)
    extra = 2 * st.OVERLAP
    phase = torch.nn.functional.pad(st.running_phase(pitch)[None], (extra, extra))
    wide = torch.nn.functional.pad(pitch[None], (extra, extra))
    samples = st.harmonic_source(wide, (phase - phase.floor()).float())
    with torch.no_grad():
        wave = st.speak(model, asr, pitch, energy, style)
    return {
        "asr": asr.half().numpy(),
        "pitch": pitch.numpy(),
        "energy": energy.numpy(),
        "style": style.numpy(),
        "source": samples[0, extra * st.HOP : -extra * st.HOP].numpy(),
        "noise": st.counted_noise(0, 64).numpy(),
        "waveform": wave.numpy(),
    }


def write_reference(arrays, path):
    """A line of JSON with the types and shapes, then the values, little-endian."""
    order = {name: {"type": str(a.dtype), "shape": list(a.shape)} for name, a in arrays.items()}
    head = json.dumps(order).encode() + b"\n"
    open(path, "wb").write(head + b"".join(np.ascontiguousarray(a).tobytes() for a in arrays.values()))


def main(weights, evaluation, out):
    os.makedirs(out, exist_ok=True)
    model = st.load(weights).eval()
    path = os.path.join(out, "student.onnx")
    arrays = reference(model, evaluation)
    onnx.save(to_onnx(model), path)
    exported = reference(Runtime(path, model.context), evaluation)
    apart = np.abs(exported["waveform"] - arrays["waveform"]).max()
    write_reference(exported, os.path.join(out, "reference.bin"))
    print("onnxruntime against torch:", apart, "of", np.abs(arrays["waveform"]).max(), "bytes", os.path.getsize(path))


if __name__ == "__main__":
    main(*sys.argv[1:])

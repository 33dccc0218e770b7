"""Writes the trained student as ONNX with float16 weights, and a small file of reference vectors for the engine's test.

  python export.py STUDENT.pt EVALUATION.npz OUT_FOLDER
"""

import io
import os
import sys

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper

import student as st

OUTPUTS = ("gain_re", "gain_im", "noise_gain", "free_re", "free_im")


class Named(torch.nn.Module):
    """The network as the engine calls it: each result by its own name."""

    def __init__(self, model):
        super().__init__()
        self.model = model

    def forward(self, features, condition):
        return tuple(self.model(features, condition).unbind(0))


def slim(model):
    """Large weights become float16 with a Cast behind, which onnxruntime folds away when it loads."""
    casts = []
    for tensor in model.graph.initializer:
        array = numpy_helper.to_array(tensor)
        if array.dtype == np.float32 and array.size > 256:
            name = tensor.name
            tensor.CopyFrom(numpy_helper.from_array(array.astype(np.float16), name + ".half"))
            casts.append(helper.make_node("Cast", [name + ".half"], [name], to=TensorProto.FLOAT))
    for node in reversed(casts):
        model.graph.node.insert(0, node)
    return model


def to_onnx(model):
    buffer = io.BytesIO()
    frames = 40
    example = (torch.randn(1, frames + 2 * model.context, st.FEATURES), torch.randn(1, st.STYLE + st.SUMMARY))
    axes = {"features": {1: "frames_and_context"}, **{name: {1: "frames"} for name in OUTPUTS}}
    torch.onnx.export(Named(model), example, buffer, input_names=["features", "condition"], output_names=list(OUTPUTS), dynamic_axes=axes, opset_version=18, dynamo=False)
    return slim(onnx.load_from_string(buffer.getvalue()))


def reference(model, path, frames=36):
    """A short text that is its own whole, with what comes in and what must come out, at each step."""
    shard = np.load(path)
    starts = np.concatenate([[0], np.cumsum(shard["frames"])])
    # The middle of the first text, taken as if it were a text of its own: voiced and unvoiced, loud and quiet.
    first = starts[0] + shard["frames"][0] // 3
    here, there = slice(first, first + frames // 2), slice(2 * first, 2 * first + frames)
    asr, pitch, energy = (torch.from_numpy(shard[k][s]).float() for k, s in (("asr", here), ("pitch", there), ("energy", there)))
    style = torch.from_numpy(shard["style"][0, : st.STYLE])
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
    """A line of JSON that says what follows, then the numbers, little-endian."""
    import json

    order = {name: {"type": str(a.dtype), "shape": list(a.shape)} for name, a in arrays.items()}
    head = json.dumps(order).encode() + b"\n"
    open(path, "wb").write(head + b"".join(np.ascontiguousarray(a).tobytes() for a in arrays.values()))


def main(weights, evaluation, out):
    os.makedirs(out, exist_ok=True)
    model = st.Student().eval()
    model.load_state_dict({key: value.float() for key, value in torch.load(weights, map_location="cpu", weights_only=True).items()})
    path = os.path.join(out, "student.onnx")
    onnx.save(to_onnx(model), path)
    arrays = reference(model, evaluation)
    write_reference(arrays, os.path.join(out, "reference.bin"))
    import onnxruntime

    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    features, condition = torch.randn(1, 90 + 2 * model.context, st.FEATURES), torch.randn(1, st.STYLE + st.SUMMARY)
    with torch.no_grad():
        ours = model(features, condition)
    theirs = session.run(None, {"features": features.numpy(), "condition": condition.numpy()})
    print("onnxruntime against torch:", max(float((torch.from_numpy(b) - a).abs().max()) for a, b in zip(ours, theirs)), "bytes", os.path.getsize(path))


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Features of Whisper's encoder: a loss on what a real recognizer hears, beside the tokens of token_recognizer.py.

The student can satisfy a small token recognizer with sounds that others mishear. The reference is the same text in the timbre
of a native voice, frame by frame. The mean over time is removed from the features, so that the timbre has little effect.

  python recognizer_features.py ENCODER.onnx      compares with onnxruntime
"""

import sys

import numpy as np
import onnx
import torch
import torch.nn as nn
import torch.nn.functional as F
from onnx import numpy_helper

import paths  # noqa: F401  adds the other folders to the import path
from listen_whisper import slaney_bank
from speaker_features import resampled

RATE, FFT, HOP, HEAD = 16_000, 400, 160, 64
COMPARED_LAYERS = (3, 5)  # counted from 0; the last one after its normalization


def dequantized(graph):
    """The weights of Whisper's encoder by their names in the checkpoint, from 8 bits."""
    stored = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    weights = {name: array for name, array in stored.items() if array.dtype == np.float32 and array.ndim}
    for node in graph.node:
        if node.op_type not in ("MatMulInteger", "ConvInteger"):
            continue
        name = node.input[1].removesuffix("_quantized")
        weight = (stored[node.input[1]].astype(np.float32) - stored[node.input[3]]) * stored[f"{name}_scale"]
        part = ".".join(node.name.strip("/").split("/")[:-1])
        weights[f"{part}.weight"] = weight.T if node.op_type == "MatMulInteger" else weight
    return weights


class WhisperEncoder(nn.Module):
    def __init__(self, path):
        super().__init__()
        for name, array in dequantized(onnx.load(path).graph).items():
            self.register_buffer(name.replace(".", "/"), torch.tensor(np.ascontiguousarray(array)))
        self.layers = sum(name.endswith("fc1/weight") for name, _ in self.named_buffers())
        self.register_buffer("bank", torch.tensor(slaney_bank(), dtype=torch.float32))
        self.register_buffer("window", torch.hann_window(FFT))

    def parameters_of(self, name):
        return (self.get_buffer(f"{name}/weight"), self._buffers.get(f"{name}/bias"))

    def spectrogram(self, wave):
        """[B, samples at 16 kHz] -> [B, 80, frames of 100 Hz]"""
        bins = torch.fft.rfft(F.pad(wave[:, None], (FFT // 2, FFT // 2), mode="reflect")[:, 0].unfold(1, FFT, HOP)[:, : wave.shape[1] // HOP] * self.window)
        level = torch.log10(((bins.real**2 + bins.imag**2) @ self.bank).clamp(min=1e-10))
        return ((torch.maximum(level, level.amax((1, 2), keepdim=True) - 8) + 4) / 4).transpose(1, 2)

    def forward(self, wave):
        """-> the features of the compared layers, each [B, frames of 50 Hz, width]"""
        x = F.gelu(F.conv1d(self.spectrogram(wave), *self.parameters_of("conv1"), padding=1))
        x = F.gelu(F.conv1d(x, *self.parameters_of("conv2"), stride=2, padding=1)).transpose(1, 2)
        width = x.shape[2]
        x, found = x + self.get_buffer("embed_positions/weight")[: x.shape[1]], []
        split = lambda part: part.unflatten(2, (width // HEAD, HEAD)).transpose(1, 2)
        for i in range(self.layers):
            y = F.layer_norm(x, (width,), *self.parameters_of(f"layers/{i}/self_attn_layer_norm"))
            q, k, v = (split(F.linear(y, *self.parameters_of(f"layers/{i}/self_attn/{name}_proj"))) for name in "qkv")
            y = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2)
            x = x + F.linear(y, *self.parameters_of(f"layers/{i}/self_attn/out_proj"))
            y = F.layer_norm(x, (width,), *self.parameters_of(f"layers/{i}/final_layer_norm"))
            x = x + F.linear(F.gelu(F.linear(y, *self.parameters_of(f"layers/{i}/fc1"))), *self.parameters_of(f"layers/{i}/fc2"))
            if i in COMPARED_LAYERS:
                found.append(F.layer_norm(x, (width,), *self.parameters_of("layer_norm")) if i == self.layers - 1 else x)
        return found


class RecognizerLoss:
    def __init__(self, path, device):
        self.encoder = WhisperEncoder(path).to(device).eval()

    def features(self, wave, rate):
        with torch.autocast(wave.device.type, torch.bfloat16, enabled=wave.is_cuda, cache_enabled=False):
            found = self.encoder(resampled(wave, RATE / rate))
        return [F.normalize(part.float() - part.float().mean(1, keepdim=True), dim=2) for part in found]

    def __call__(self, wave, reference, rate):
        """The distance of each item, 1 - cosine: 0 for the same features."""
        with torch.no_grad():
            targets = self.features(reference, rate)
        return sum(1 - (ours * target).sum(2).mean(1) for ours, target in zip(self.features(wave, rate), targets)) / len(targets)


def compare_with_onnxruntime(path):
    import onnxruntime

    encoder, wave = WhisperEncoder(path).eval(), torch.randn(1, 30 * RATE) * torch.linspace(0, 0.1, 30 * RATE)
    expected = onnxruntime.InferenceSession(path).run(None, {"input_features": encoder.spectrogram(wave).numpy()})[0][0]
    found = encoder(wave)[-1][0].numpy()
    print(f"cosine with onnxruntime {np.mean((found * expected).sum(1) / np.linalg.norm(found, axis=1) / np.linalg.norm(expected, axis=1)):.4f}")


if __name__ == "__main__":
    compare_with_onnxruntime(sys.argv[1])

"""Writes Kokoro's pitch and energy predictors, from the frames of their shared recurrent layer on, as ONNX with matrix products in
8 bits. Convolutions become matrix products, which onnxruntime computes several times faster in 8 bits.

The weights are nine tenths those of `kokoro-q8`, which has one scale per convolution, and one tenth those of Kokoro in float32: the pitch
is that of `kokoro-q8`, and nearer to float32 than with its weights alone.

  python pitch_predictors.py KOKORO.onnx KOKORO_Q8.onnx OUT.onnx
"""

import io
import os
import sys
import tempfile

import onnx
import torch
import torch.nn as nn
import torch.nn.functional as F
from onnxruntime.quantization import QuantType, quantize_dynamic

from dequantize import dequantized
from encoder_teacher import weights_of
import export  # noqa: F401  adds the folder of quantise.py to the path
from quantise import slim


def linear(weight, bias):
    layer = nn.Linear(weight.shape[1], weight.shape[0], bias is not None)
    with torch.no_grad():
        layer.weight.copy_(weight)
        if bias is not None:
            layer.bias.copy_(bias)
    return layer


class Convolution(nn.Module):
    """Over three frames."""

    def __init__(self, weight, bias):
        super().__init__()
        self.mix = linear(weight.permute(0, 2, 1).flatten(1), bias)

    def forward(self, x):
        x = F.pad(x, (0, 0, 1, 1))
        return self.mix(torch.cat([x[:, :-2], x[:, 1:-1], x[:, 2:]], -1))


class Norm(nn.Module):
    """Instance norm whose scale and shift come from the style, then a leaky ReLU."""

    def __init__(self, weight, bias):
        super().__init__()
        self.by = linear(weight, bias)

    def forward(self, x, style):
        scale, shift = self.by(style)[:, None].chunk(2, -1)
        apart = x - x.mean(1, keepdim=True)
        factor = (1 + scale) * torch.rsqrt((apart * apart).mean(1, keepdim=True) + 1e-5)
        return F.leaky_relu(apart * factor + shift, 0.2)


class Block(nn.Module):
    def __init__(self, w, name):
        super().__init__()
        norm = lambda key: Norm(w[f"predictor.{name}.{key}.fc.weight"], w[f"predictor.{name}.{key}.fc.bias"])
        conv = lambda key: Convolution(w[f"{name}.{key}.weight"], w[f"{name}.{key}.bias"])
        self.norm1, self.norm2, self.conv1, self.conv2 = norm("norm1"), norm("norm2"), conv("conv1"), conv("conv2")
        shorter = w.get(f"{name}.conv1x1.weight")
        self.shorter = None if shorter is None else linear(shorter[..., 0], None)
        pool = w.get(f"{name}.pool.weight")
        self.doubles = pool is not None
        if self.doubles:
            self.register_buffer("taps", pool[:, 0].T.contiguous())
            self.register_buffer("pool_bias", w[f"{name}.pool.bias"])

    def forward(self, x, style):
        y = self.norm1(x, style)
        if self.doubles:
            following = F.pad(y, (0, 0, 0, 1))[:, 1:]
            y = torch.stack([y * self.taps[1], y * self.taps[2] + following * self.taps[0]], 2).flatten(1, 2) + self.pool_bias
            x = x.repeat_interleave(2, 1)
        y = self.conv2(self.norm2(self.conv1(y), style))
        return ((x if self.shorter is None else self.shorter(x)) + y) * 2**-0.5


class PitchPredictors(nn.Module):
    def __init__(self, w):
        super().__init__()
        self.blocks = nn.ModuleList(nn.ModuleList(Block(w, f"{name}.{index}") for index in range(3)) for name in ("F0", "N"))
        self.leave = nn.ModuleList(linear(w[f"{name}_proj.weight"][..., 0], w[f"{name}_proj.bias"]) for name in ("F0", "N"))

    def forward(self, shared, style):
        """The output of the shared layer for each frame [1, T, 512], the whole style [1, 256] -> pitch and energy, [1, 2 T] each"""
        made = []
        for blocks, leave in zip(self.blocks, self.leave):
            x = shared
            for block in blocks:
                x = block(x, style[:, 128:])
            made.append(leave(x)[..., 0])
        return tuple(made)


SHARE_OF_COARSE = 0.9


def mixed_weights(kokoro, kokoro_q8):
    exact, coarse = weights_of(kokoro), weights_of(dequantized(kokoro, kokoro_q8))
    return {name: SHARE_OF_COARSE * coarse[name] + (1 - SHARE_OF_COARSE) * exact[name] for name in exact}


def to_onnx(weights, out):
    predictors = PitchPredictors({name: torch.tensor(array) for name, array in weights.items()}).eval()
    buffer = io.BytesIO()
    axes = {"shared": {1: "frames"}, "pitch": {1: "half_frames"}, "energy": {1: "half_frames"}}
    torch.onnx.export(predictors, (torch.randn(1, 40, 512), torch.randn(1, 256) * 0.1), buffer, input_names=["shared", "style"], output_names=["pitch", "energy"], dynamic_axes=axes, opset_version=18, dynamo=False)
    with tempfile.TemporaryDirectory() as folder:
        whole, coarse = os.path.join(folder, "whole.onnx"), os.path.join(folder, "coarse.onnx")
        open(whole, "wb").write(buffer.getvalue())
        # Seven bits: with eight, x64 without VNNI overflows.
        quantize_dynamic(whole, coarse, op_types_to_quantize=["MatMul"], per_channel=True, reduce_range=True, weight_type=QuantType.QInt8)
        onnx.save(slim(onnx.load(coarse), 4096), out)
    print("bytes", os.path.getsize(out))


if __name__ == "__main__":
    kokoro, kokoro_q8, out = sys.argv[1:]
    to_onnx(mixed_weights(kokoro, kokoro_q8), out)

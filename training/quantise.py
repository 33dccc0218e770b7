"""Linear layers with quantization-aware training in 8 bits, and their export to ONNX.

Activations are unsigned bytes with one learned step size per layer: it does not depend on the input, so the output of windows equals
that of the whole. Weights are integers from -63 to 63 with a scale for each output: with seven bits, the sum of two products fits
into the 16 bits that x64 without VNNI uses.
"""

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

MAX_WEIGHT = 63
SYMMETRIC, POSITIVE = 128, 8  # zero points: symmetric, or for the output of a GELU, which is mostly positive


def rounded(x):
    return x + (x.round() - x).detach()


class QuantLinear(nn.Linear):
    """Computes in float32 until `calibrate` was called and `learn` is set."""

    def __init__(self, inputs, outputs, zero=SYMMETRIC, bias=True):
        super().__init__(inputs, outputs, bias)
        self.zero = zero
        self.log_step = nn.Parameter(torch.zeros(()))
        self.learn = False
        self.sample = None

    def weight_scale(self):
        return (self.weight.detach().abs().amax(1, keepdim=True) / MAX_WEIGHT).clamp(min=1e-8)

    def coarse(self, x):
        step = self.log_step.exp()
        return rounded((x / step).clamp(-self.zero, 255 - self.zero)) * step

    def forward(self, x):
        if self.sample is not None:
            with torch.no_grad():
                flat = x.detach().float().flatten()
                self.sample.append(flat[torch.randint(len(flat), (50_000,), device=flat.device)])
        if not self.learn:
            return super().forward(x)
        scale = self.weight_scale()
        return F.linear(self.coarse(x), rounded(self.weight / scale) * scale, self.bias)


def layers(model):
    return [module for module in model.modules() if isinstance(module, QuantLinear)]


def calibrate(model, run):
    """Calls `run` to sample activations, then sets the step size of each layer without one to the value with the least error."""
    new = [layer for layer in layers(model) if not layer.learn]
    for layer in new:
        layer.sample = []
    run()
    for layer in new:
        x = torch.cat(layer.sample)
        layer.sample, layer.learn = None, True
        widest = max(float(x.max()) / (255 - layer.zero), -float(x.min()) / layer.zero, 1e-6)
        losses = {}
        with torch.no_grad():
            for share in np.geomspace(0.15, 1.0, 24):
                layer.log_step.fill_(float(np.log(widest * share)))
                losses[share] = float((layer.coarse(x) - x).square().mean())
            layer.log_step.fill_(float(np.log(widest * min(losses, key=losses.get))))


def to_integers(graph, named):
    """Turns MatMul (and the Add of its bias) into MatMulIntegerToFloat. `named` returns the layer of a MatMul node, by its scope."""
    from onnx import helper, numpy_helper

    stored = {tensor.name: tensor for tensor in graph.initializer}
    nodes, unused = [], set()
    for node in graph.node:
        layer = named(node)
        if layer is None:
            nodes.append(node)
            continue
        base = node.output[0]
        scale = layer.weight_scale()
        weight = (layer.weight.detach() / scale).round().to(torch.int8).numpy().T
        step = np.float32(layer.log_step.exp().item())
        values = {"step": step, "zero": np.uint8(layer.zero), "weight": np.ascontiguousarray(weight), "scale": scale.numpy().ravel().astype(np.float32)}
        for key, value in values.items():
            graph.initializer.append(numpy_helper.from_array(np.asarray(value), f"{base}.{key}"))
        nodes.append(helper.make_node("QuantizeLinear", [node.input[0], f"{base}.step", f"{base}.zero"], [f"{base}.coarse"]))
        inputs = [f"{base}.coarse", f"{base}.weight", f"{base}.step", f"{base}.scale", f"{base}.zero"]
        nodes.append(helper.make_node("MatMulIntegerToFloat", inputs, [base], domain="com.microsoft"))
        unused.add(node.input[1])
    del graph.node[:]
    graph.node.extend(nodes)
    used = {name for node in graph.node for name in node.input}
    for name in unused - used:
        graph.initializer.remove(stored[name])


def slim(model, min_size):
    """Stores weights of more than `min_size` values as float16 with a Cast, which onnxruntime folds when it loads the model."""
    from onnx import TensorProto, helper, numpy_helper

    casts = []
    for tensor in model.graph.initializer:
        array = numpy_helper.to_array(tensor)
        if array.dtype == np.float32 and array.size > min_size:
            name = tensor.name
            tensor.CopyFrom(numpy_helper.from_array(array.astype(np.float16), name + ".half"))
            casts.append(helper.make_node("Cast", [name + ".half"], [name], to=TensorProto.FLOAT))
    for node in reversed(casts):
        model.graph.node.insert(0, node)
    return model

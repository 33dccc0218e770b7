"""Linear layers that learn to work with eight bits, and the ONNX nodes that they become.

Activations are unsigned bytes with one step for the whole layer, which is learned: no step depends on the input, so windows of a text
give exactly what the whole gives. Weights are whole numbers from -63 to 63 with a scale for each output: with seven bits no sum of
two products overflows the 16 bits that x64 without VNNI adds them in.
"""

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

MOST = 63
EVEN, POSITIVE = 128, 8  # where zero lies: in the middle, or near the bottom for what comes out of a GELU


def rounded(x):
    return x + (x.round() - x).detach()


class QuantLinear(nn.Linear):
    """Exact until `calibrate` was called and `learn` is set."""

    def __init__(self, inputs, outputs, zero=EVEN, bias=True):
        super().__init__(inputs, outputs, bias)
        self.zero = zero
        self.log_step = nn.Parameter(torch.zeros(()))
        self.learn = False
        self.sample = None

    def weight_scale(self):
        return (self.weight.detach().abs().amax(1, keepdim=True) / MOST).clamp(min=1e-8)

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
    """Lets `run` use the model, then sets the step of each layer that has none to what loses least."""
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
    """Turns MatMul (and the Add of its bias) into MatMulIntegerToFloat. `named`: the layer by the name of its MatMul node's scope."""
    from onnx import helper, numpy_helper

    stored = {tensor.name: tensor for tensor in graph.initializer}
    nodes, gone = [], set()
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
        gone.add(node.input[1])
    del graph.node[:]
    graph.node.extend(nodes)
    used = {name for node in graph.node for name in node.input}
    for name in gone - used:
        graph.initializer.remove(stored[name])


def slim(model, least):
    """Weights of more than `least` numbers become float16 with a Cast behind, which onnxruntime folds away when it loads."""
    from onnx import TensorProto, helper, numpy_helper

    casts = []
    for tensor in model.graph.initializer:
        array = numpy_helper.to_array(tensor)
        if array.dtype == np.float32 and array.size > least:
            name = tensor.name
            tensor.CopyFrom(numpy_helper.from_array(array.astype(np.float16), name + ".half"))
            casts.append(helper.make_node("Cast", [name + ".half"], [name], to=TensorProto.FLOAT))
    for node in reversed(casts):
        model.graph.node.insert(0, node)
    return model

"""Runs an ONNX graph with torch, on a GPU and with gradients.

Only the operators of the graphs used here are implemented. Shapes stay on the CPU as numpy arrays, so that the graph does not
synchronize with the device.
"""

import numpy as np
import onnx
import torch
import torch.nn.functional as F
from onnx import helper, numpy_helper


def is_host(value):
    return isinstance(value, (np.ndarray, np.generic))


def widened(array):
    """Weights that are stored in float16 become float32."""
    return array.astype(np.float32) if array.dtype == np.float16 else array


class Graph:
    def __init__(self, path, device):
        graph = onnx.load(path).graph
        self.device = device
        self.constants = {}
        for tensor in graph.initializer:
            array = numpy_helper.to_array(tensor)
            # Integers are shapes and indices; floats are data.
            host = array.dtype.kind in "iub"
            self.constants[tensor.name] = array if host else torch.tensor(widened(array), device=device)
            if array.dtype.kind == "f" and array.size <= 16:
                self.constants[tensor.name + "#host"] = array
        self.nodes = []
        last_use = {}
        for index, node in enumerate(graph.node):
            attributes = {a.name: helper.get_attribute_value(a) for a in node.attribute}
            self.nodes.append((node.op_type, list(node.input), list(node.output), attributes))
            for name in node.input:
                last_use[name] = index
        self.free = [[] for _ in self.nodes]
        for name, index in last_use.items():
            if name not in self.constants:
                self.free[index].append(name)

    def __call__(self, values, wanted):
        """The output `wanted`, from inputs by name."""
        values = dict(values)
        for index, (kind, inputs, outputs, attributes) in enumerate(self.nodes):
            arguments = [self.value(values, name) for name in inputs]
            if kind == "Resize":
                arguments[2] = self.constants[inputs[2] + "#host"]
            results = self.run(kind, arguments, attributes)
            values.update(zip(outputs, results if kind == "Split" else (results,)))
            for name in self.free[index]:
                if name != wanted:
                    values.pop(name, None)
        return values[wanted]

    def value(self, values, name):
        if name == "":
            return None
        return values[name] if name in values else self.constants[name]

    def run(self, kind, a, attr):
        host = all(x is None or is_host(x) for x in a)
        if not host and kind in ("Add", "Sub", "Mul", "Div", "Greater", "Less", "Equal", "Where", "Pow"):
            a = [torch.as_tensor(x, device=self.device) if is_host(x) else x for x in a]
        lib = np if host else torch
        match kind:
            case "Add": return a[0] + a[1]
            case "Sub": return a[0] - a[1]
            case "Mul": return a[0] * a[1]
            case "Div": return a[0] // a[1] if host and a[0].dtype.kind == "i" else a[0] / a[1]
            case "Pow": return lib.square(a[0])
            case "Sqrt": return lib.sqrt(a[0])
            case "Sin": return lib.sin(a[0])
            case "Cos": return lib.cos(a[0])
            case "Exp": return lib.exp(a[0])
            case "Tanh": return lib.tanh(a[0])
            case "Atan": return torch.atan(a[0])
            case "Floor": return lib.floor(a[0])
            case "Sigmoid": return torch.sigmoid(a[0])
            case "Neg": return -a[0]
            case "Greater": return a[0] > a[1]
            case "Less": return a[0] < a[1]
            case "Equal": return a[0] == a[1]
            case "Where": return lib.where(a[0], a[1], a[2])
            case "LeakyRelu": return F.leaky_relu(a[0], attr.get("alpha", 0.01))
            case "MatMul": return a[0] @ a[1]
            case "Gemm":
                b = a[1].t() if attr.get("transB") else a[1]
                return torch.addmm(a[2], a[0], b)
            case "Cast":
                to = {1: (np.float32, torch.float32), 7: (np.int64, torch.int64), 9: (np.bool_, torch.bool)}[attr["to"]]
                return a[0].astype(to[0]) if host else a[0].to(to[1])
            case "Shape": return np.array(a[0].shape, np.int64)
            case "Range": return np.arange(int(a[0]), int(a[1]), int(a[2]), dtype=np.int64)
            case "NonZero":
                found = a[0].nonzero()
                return np.stack(found) if host else torch.stack(a[0].nonzero(as_tuple=True))
            case "Concat":
                if host:
                    return np.concatenate(a, attr["axis"])
                return torch.cat([torch.as_tensor(x, device=self.device) for x in a], attr["axis"])
            case "Unsqueeze":
                x = a[0]
                rank = x.ndim + a[1].size
                for axis in sorted(int(v) % rank for v in a[1].ravel()):
                    x = np.expand_dims(x, axis) if host else x.unsqueeze(axis)
                return x
            case "Squeeze":
                x = a[0]
                for axis in sorted((int(v) % x.ndim for v in a[1].ravel()), reverse=True):
                    x = np.squeeze(x, axis) if is_host(x) else x.squeeze(axis)
                return x
            case "Transpose": return a[0].transpose(attr["perm"]) if host else a[0].permute(attr["perm"])
            case "Reshape":
                shape = [int(v) for v in a[1]]
                shape = [a[0].shape[i] if v == 0 else v for i, v in enumerate(shape)]
                return a[0].reshape(shape)
            case "Expand":
                shape = [int(v) for v in a[1]]
                return np.broadcast_to(a[0], np.broadcast_shapes(a[0].shape, tuple(shape))) if is_host(a[0]) else a[0].expand(shape)
            case "Gather":
                axis = attr.get("axis", 0)
                if is_host(a[0]) and is_host(a[1]):
                    return np.take(a[0], a[1], axis)
                index = torch.as_tensor(np.array(a[1]) if is_host(a[1]) else a[1], device=self.device)
                taken = a[0].index_select(axis, index.reshape(-1))
                return taken.reshape(a[0].shape[:axis] + index.shape + a[0].shape[axis + 1:])
            case "Slice":
                rank = a[0].ndim
                axes = [int(v) for v in a[3]] if len(a) > 3 and a[3] is not None else range(rank)
                steps = [int(v) for v in a[4]] if len(a) > 4 and a[4] is not None else [1] * len(a[1])
                cut = [slice(None)] * rank
                for axis, start, end, step in zip(axes, a[1].tolist(), a[2].tolist(), steps):
                    if step == -1 and not host:
                        # The only negative step in these graphs: reversal of an axis.
                        return a[0].flip(axis)
                    cut[axis % rank] = slice(start, None if end > 2**60 else end, step)
                return a[0][tuple(cut)]
            case "Split": return a[0].split(a[1].tolist(), attr.get("axis", 0))
            case "ConstantOfShape":
                return torch.full([int(v) for v in a[0]], float(numpy_helper.to_array(attr["value"]).item()), device=self.device)
            case "ReduceMean":
                axes = attr.get("axes") or [int(v) for v in a[1]]
                return a[0].mean(dim=list(axes), keepdim=bool(attr.get("keepdims", 1)))
            case "Conv":
                return F.conv1d(a[0], a[1], a[2] if len(a) > 2 else None, attr["strides"][0], attr["pads"][0], attr["dilations"][0], attr["group"])
            case "ConvTranspose":
                extra = attr.get("output_padding", [0])[0]
                return F.conv_transpose1d(a[0], a[1], a[2] if len(a) > 2 else None, attr["strides"][0], attr["pads"][0], extra, attr["group"])
            case "Pad":
                pads = a[1].tolist()
                return F.pad(a[0], (pads[2], pads[5]), mode=attr["mode"].decode())
            case "Resize":
                scale = float(a[2][-1])
                if attr["mode"] == b"nearest":
                    return a[0].repeat_interleave(round(scale), dim=2)
                size = int(np.floor(a[0].shape[2] * scale)) if scale >= 1 else int(np.floor(a[0].shape[2] * np.float32(scale) + 1e-4))
                return F.interpolate(a[0], size=size, mode="linear", align_corners=False)
            case "CumSum": return torch.cumsum(a[0], int(a[1]))
        raise NotImplementedError(kind)

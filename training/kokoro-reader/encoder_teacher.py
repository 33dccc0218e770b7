"""The encoder half of Kokoro in torch, batched: the teacher of the reader.

  python encoder_teacher.py KOKORO.onnx KOKORO_Q8.onnx OUT.npz   packs the weights of KOKORO_Q8, 12 bits per value
  python encoder_teacher.py --check KOKORO.onnx OUT.npz          compares with onnxruntime, single texts and padded batches

Texts of a batch are padded; padding does not change the output.
"""

import os
import re
import sys

import numpy as np
import torch
import torch.nn.functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from dequantize import dequantized
from packing import pack_rows, unpack_rows

LAYERS, HEADS, WIDTH = 12, 12, 768
LONGEST = 2000  # frames


def weights_of(model):
    """The weights of an ONNX model or its file by the names of their layers; matrices as [out, in]."""
    import onnx
    from onnx import numpy_helper

    graph = (onnx.load(model) if isinstance(model, str) else model).graph
    stored = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    found = {}
    for node in graph.node:
        if not node.name.startswith("/encoder/"):
            continue
        name = node.name.removeprefix("/encoder/").rsplit("/", 1)[0].replace("/", ".")
        if re.search(r"_\d+(\.|$)", name.removeprefix("bert_encoder")):
            continue  # another pass of the same layer
        if node.op_type == "LSTM":
            for key, weight in zip(("w", "r", "b"), node.input[1:4]):
                found[f"{name}.{key}"] = stored[weight]
        elif node.op_type in ("Conv", "ConvTranspose"):
            found[f"{name}.weight"] = stored[node.input[1]]
            if len(node.input) > 2:
                found[f"{name}.bias"] = stored[node.input[2]]
        elif node.op_type == "MatMul" and node.input[1] in stored:
            found.setdefault(f"{name}.weight", stored[node.input[1]].T)
        elif node.op_type == "Gemm":
            found[f"{name}.weight"], found[f"{name}.bias"] = stored[node.input[1]], stored[node.input[2]]
    for name, array in stored.items():
        if name.startswith("encoder.") and array.dtype == np.float32:
            found.setdefault(name.removeprefix("encoder."), array)
    return {name: np.ascontiguousarray(array, np.float32) for name, array in found.items()}


def pack(exact_path, coarse_path, out, bits=12):
    """Writes the weights of `coarse_path` as floats: the encoder half that the service uses where the reader is not used."""
    arrays = {}
    for name, array in weights_of(dequantized(exact_path, coarse_path)).items():
        if array.size > 4096 and array.ndim > 1:
            rows = array.reshape(-1, array.shape[-1]) if array.ndim == 3 and array.shape[0] == 2 else array
            arrays[name] = np.frombuffer(pack_rows(rows, bits), np.uint8)
            arrays[name + "#shape"] = np.array(array.shape)
        else:
            arrays[name] = array
    np.savez(out, **arrays)


def restored(blob, shape, bits):
    rows = (shape[0] * shape[1], shape[2]) if len(shape) == 3 and shape[0] == 2 else shape
    return unpack_rows(blob, rows, bits).reshape(shape)


def unpack(path, bits=12):
    file = np.load(path)
    stored = {name: file[name] for name in file.files}
    return {
        name: restored(array.tobytes(), tuple(stored[name + "#shape"]), bits) if name + "#shape" in stored else array
        for name, array in stored.items()
        if not name.endswith("#shape")
    }


def lstm_of(weights, name, device):
    w, r, b = (torch.tensor(weights[f"{name}.{key}"]) for key in "wrb")
    lstm = torch.nn.LSTM(w.shape[2], r.shape[2], bidirectional=True, batch_first=True)
    # ONNX: input, output, forget, cell. torch: input, forget, cell, output.
    order = lambda x: torch.cat([x.chunk(4)[i] for i in (0, 2, 3, 1)])
    with torch.no_grad():
        for way, end in enumerate(("", "_reverse")):
            getattr(lstm, "weight_ih_l0" + end).copy_(order(w[way]))
            getattr(lstm, "weight_hh_l0" + end).copy_(order(r[way]))
            bi, bh = b[way].chunk(2)
            getattr(lstm, "bias_ih_l0" + end).copy_(order(bi))
            getattr(lstm, "bias_hh_l0" + end).copy_(order(bh))
    return lstm.to(device).requires_grad_(False)


class Teacher:
    def __init__(self, path, device):
        weights = weights_of(path) if path.endswith(".onnx") else unpack(path)
        self.device = device
        self.weights = {name: torch.tensor(array, device=device) for name, array in weights.items()}
        names = [name.removesuffix(".r") for name in weights if name.endswith(".r")]
        self.lstms = {name: lstm_of(weights, name, device) for name in names}
        self.albert = "bert.encoder.albert_layer_groups.0.albert_layers.0."

    def linear(self, x, name):
        return F.linear(x, self.weights[name + ".weight"], self.weights.get(name + ".bias"))

    def run_lstm(self, name, x, lengths):
        packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)
        return pad_packed_sequence(self.lstms[name](packed)[0], batch_first=True, total_length=x.shape[1])[0]

    def bert(self, ids, valid, units=None):
        """[B, n] -> the output of ALBERT, [B, n, 512], and the hidden states after each pass. `units`: a list that gets the hidden units of each feed-forward part"""
        place = "bert.embeddings."
        x = self.weights[place + "word_embeddings.weight"][ids] + self.weights[place + "position_embeddings.weight"][: ids.shape[1]] + self.weights[place + "token_type_embeddings.weight"][0]
        x = F.layer_norm(x, (128,), self.weights[place + "LayerNorm.weight"], self.weights[place + "LayerNorm.bias"], 1e-12)
        x = self.linear(x, "bert.encoder.embedding_hidden_mapping_in")
        heads = lambda y: y.unflatten(-1, (HEADS, -1)).transpose(1, 2)
        a, norm = self.albert, lambda y, name: F.layer_norm(y, (WIDTH,), self.weights[name + ".weight"], self.weights[name + ".bias"], 1e-12)
        hidden = []
        for _ in range(LAYERS):
            q, k, v = (heads(self.linear(x, f"{a}attention.{part}")) for part in ("query", "key", "value"))
            attended = F.scaled_dot_product_attention(q, k, v, attn_mask=valid[:, None, None])
            x = norm(x + self.linear(attended.transpose(1, 2).flatten(2), a + "attention.dense"), a + "attention.LayerNorm")
            inner = F.gelu(self.linear(x, a + "ffn"), approximate="tanh")
            if units is not None:
                units.append(inner[valid])
            x = norm(self.linear(inner, a + "ffn_output") + x, a + "full_layer_layer_norm")
            hidden.append(x)
        return self.linear(x, "bert_encoder"), hidden

    def text_features(self, ids, valid, lengths):
        """The text features of each phoneme for the decoder, independent of the voice: [B, n, 512]"""
        x = self.weights["text_encoder.embedding.weight"][ids] * valid[..., None]
        for index in range(3):
            conv = f"text_encoder.cnn.{index}.cnn.{index}.0"
            norm = f"text_encoder.cnn.{index}.1"
            x = F.conv1d(x.transpose(1, 2), self.weights[conv + ".weight"], self.weights[conv + ".bias"], padding=2).transpose(1, 2)
            x = F.leaky_relu(F.layer_norm(x, (512,), self.weights[norm + ".gamma"], self.weights[norm + ".beta"], 1e-5), 0.2) * valid[..., None]
        return self.run_lstm("text_encoder.lstm", x, lengths)

    def prosody(self, bert_output, style, valid, lengths):
        """-> prosody features of each phoneme, [B, n, 640]; its duration in frames, [B, n]"""
        wide = style[:, None].expand(-1, bert_output.shape[1], -1)
        x = torch.cat([bert_output, wide], -1)
        for index in (0, 2, 4):
            x = self.run_lstm(f"predictor.text_encoder.lstms.{index}", x, lengths)
            scale, shift = self.linear(style, f"predictor.text_encoder.lstms.{index + 1}.fc")[:, None].chunk(2, -1)
            x = torch.cat([F.layer_norm(x, (512,), eps=1e-5) * (1 + scale) + shift, wide], -1)
        durations = self.linear(self.run_lstm("predictor.lstm", x, lengths), "predictor.duration_proj.linear_layer")
        return x, torch.sigmoid(durations).sum(-1) * valid

    def block(self, name, x, style, mask):
        """An AdaIN residual block; `mask` [B, 1, T]: 1 for frames, 0 for padding."""
        weights = lambda key: self.weights[f"{name}.{key}"]
        upsamples = f"{name}.pool.weight" in self.weights

        def normalized(y, key, mask):
            count = mask.sum(-1, keepdim=True)
            mean = (y * mask).sum(-1, keepdim=True) / count
            centred = (y - mean) * mask
            scale, shift = self.linear(style, f"predictor.{name}.{key}.fc")[..., None].chunk(2, 1)
            y = (1 + scale) * centred / torch.sqrt((centred**2).sum(-1, keepdim=True) / count + 1e-5) + shift
            return F.leaky_relu(y, 0.2) * mask

        y, wider = normalized(x, "norm1", mask), mask
        if upsamples:
            wider = mask.repeat_interleave(2, -1)
            y = F.conv_transpose1d(y, weights("pool.weight"), weights("pool.bias"), 2, 1, 1, groups=y.shape[1]) * wider
            x = x.repeat_interleave(2, -1)
        y = F.conv1d(y, weights("conv1.weight"), weights("conv1.bias"), padding=1)
        y = F.conv1d(normalized(y, "norm2", wider), weights("conv2.weight"), weights("conv2.bias"), padding=1)
        if f"{name}.conv1x1.weight" in self.weights:
            x = F.conv1d(x, weights("conv1x1.weight"))
        return (x + y) * wider / 2**0.5

    def pitch_and_energy(self, spread, style, frames):
        """`spread`: prosody features of each frame, [B, T, 640] -> pitch and energy, [B, 2 T] each"""
        mask = (torch.arange(spread.shape[1], device=self.device) < frames.to(self.device)[:, None]).float()[:, None]
        x = self.run_lstm("shared", spread, frames).transpose(1, 2) * mask
        out = []
        for name in ("F0", "N"):
            y = self.block(f"{name}.1", self.block(f"{name}.0", x, style, mask), style, mask)
            y = self.block(f"{name}.2", y, style, mask.repeat_interleave(2, -1))
            out.append(F.conv1d(y, self.weights[f"{name}_proj.weight"], self.weights[f"{name}_proj.bias"])[:, 0])
        return out

    @torch.no_grad()
    def targets_of_bert(self, ids, valid, half=torch.float16):
        """`bert` in half precision on a GPU, unless `half` is None. bfloat16 would change one duration in fifty."""
        with torch.autocast("cuda", half or torch.float16, enabled=self.device == "cuda" and half is not None):
            bert_output, hidden = self.bert(ids, valid)
        return bert_output.float(), hidden

    @torch.no_grad()
    def predictions(self, bert_output, style, valid, lengths, speed=1.0, pitch=True):
        """Durations, and unless `pitch` is false, pitch and energy. `style` [B, 256]"""
        prosody_style = style[:, 128:]
        prosody, durations = self.prosody(bert_output, prosody_style, valid, lengths)
        counts = (durations / speed).round().clamp(min=1) * valid
        found = {"prosody": prosody[..., :512], "durations": durations, "counts": counts}
        if not pitch:
            return found
        index, frames = spread_index(counts)
        spread = prosody.gather(1, index[..., None].expand(-1, -1, prosody.shape[2]))
        hertz, energy = self.pitch_and_energy(spread, prosody_style, frames)
        return {**found, "index": index, "frames": frames, "pitch": hertz, "energy": energy}

    @torch.no_grad()
    def __call__(self, ids, lengths, style, speed=1.0):
        """ids [B, n] with 0 before and after, lengths [B] on the CPU, the whole style [B, 256]"""
        valid = self.valid(ids, lengths)
        bert_output, hidden = self.targets_of_bert(ids, valid)
        text_features = self.text_features(ids, valid, lengths)
        return {"valid": valid, "bert": bert_output, "hidden": hidden, "text_features": text_features, **self.predictions(bert_output, style, valid, lengths, speed)}

    def valid(self, ids, lengths):
        """[B, n]: whether a position is in its text"""
        return torch.arange(ids.shape[1], device=self.device) < lengths.to(self.device)[:, None]


def spread_index(counts):
    """Durations of phonemes in frames [B, n] -> the phoneme of each frame [B, T], frames of each text on the CPU."""
    ends = counts.cumsum(1)
    frames = ends[:, -1].long()
    longest = int(frames.max())
    at = torch.arange(longest, device=counts.device)[None].expand(len(counts), -1).contiguous().float()
    index = torch.searchsorted(ends.contiguous(), at, right=True).clamp(max=counts.shape[1] - 1)
    return index, frames.cpu()


def check(path, packed):
    import onnx
    import onnxruntime

    sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../kokoro-student"))
    from pack_teacher import halves

    session = onnxruntime.InferenceSession(halves(path)[0].SerializeToString())
    exact, near = Teacher(path, "cpu"), Teacher(packed, "cpu")
    random = np.random.default_rng(1)
    texts = [random.integers(43, 148, n) for n in (5, 23, 61)]
    style = random.normal(0, 0.15, (3, 256)).astype(np.float32)
    ids = np.zeros((3, 63), np.int64)
    for row, text in zip(ids, texts):
        row[1 : 1 + len(text)] = text
    lengths = torch.tensor([len(text) + 2 for text in texts])
    ours, theirs_near = (t(torch.tensor(ids), lengths, torch.tensor(style)) for t in (exact, near))
    for i, n in enumerate(lengths.tolist()):
        asr, pitch, energy, counts = session.run(None, {"input_ids": ids[i : i + 1, :n], "style": style[i : i + 1], "speed": np.ones(1, np.float32)})
        T = asr.shape[2]
        print("tokens", n, "frames", T, int(ours["frames"][i]), "counts off", float(np.abs(ours["counts"][i, :n].numpy() - counts.ravel()).sum()), float(np.abs(theirs_near["counts"][i, :n].numpy() - counts.ravel()).sum()))
        if T == int(ours["frames"][i]):
            spread = ours["text_features"][i, ours["index"][i, :T]].T.numpy()
            print("  asr", np.abs(spread - asr[0]).max(), "pitch", np.abs(ours["pitch"][i, : 2 * T].numpy() - pitch[0]).max(), "energy", np.abs(ours["energy"][i, : 2 * T].numpy() - energy[0]).max())


if __name__ == "__main__":
    if sys.argv[1] == "--check":
        check(*sys.argv[2:])
    else:
        pack(*sys.argv[1:])

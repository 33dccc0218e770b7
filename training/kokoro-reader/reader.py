"""The reader: two small networks that replace the slow parts of Kokoro's encoder half.

`Bert` replaces PL-BERT, which applies one layer twelve times, by four layers that are initialized with that layer. `PitchNetwork` replaces
the pitch and energy predictors (a recurrent layer and six residual blocks) by six convolutional layers at 40 frames per second. The text
encoder and the duration predictor are Kokoro's own (`FrozenDurations`). All matrix products can be computed in 8 bits.
"""

import math
import os
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from quantise import POSITIVE, QuantLinear

SYMBOLS, LONGEST, STYLE, SOUND = 178, 512, 128, 512
EMBEDDING, WIDTH, HIDDEN, HEADS = 128, 768, 2048, 12  # of PL-BERT
PASSES = 4
TEACHER_PASSES = 12


class BertLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.look, self.dense = QuantLinear(WIDTH, 3 * WIDTH), QuantLinear(WIDTH, WIDTH)
        self.norm1, self.norm2 = nn.LayerNorm(WIDTH, 1e-12), nn.LayerNorm(WIDTH, 1e-12)
        self.up, self.down = QuantLinear(WIDTH, HIDDEN), QuantLinear(HIDDEN, WIDTH, POSITIVE)

    def forward(self, x, valid):
        q, k, v = self.look(x).unflatten(-1, (3, HEADS, -1)).permute(2, 0, 3, 1, 4).unbind(0)
        if valid is None:
            attended = torch.softmax(q @ k.transpose(2, 3) * k.shape[-1] ** -0.5, -1) @ v
        else:
            attended = F.scaled_dot_product_attention(q, k, v, attn_mask=valid[:, None, None])
        x = self.norm1(x + self.dense(attended.transpose(1, 2).flatten(2)))
        return self.norm2(x + self.down(F.gelu(self.up(x), approximate="tanh")))


class Norm(nn.Module):
    """Layer norm whose scale and shift come from a condition."""

    def __init__(self, width, condition):
        super().__init__()
        self.width, self.by = width, nn.Linear(condition, 2 * width)

    def forward(self, x, condition):
        scale, shift = self.by(condition)[:, None].chunk(2, -1)
        return F.layer_norm(x, (self.width,)) * (1 + scale) + shift


class FrameLayer(nn.Module):
    def __init__(self, width, hidden, condition, kernel=7):
        super().__init__()
        self.near = nn.Conv1d(width, width, kernel, padding=kernel // 2, groups=width)
        self.norm = Norm(width, condition)
        self.up, self.down = QuantLinear(width, hidden), QuantLinear(hidden, width, POSITIVE)

    def forward(self, x, mask, condition):
        if mask is None:
            y = self.near(x.transpose(1, 2)).transpose(1, 2)
        else:  # equal, and several times faster to train
            reach, frames = self.near.kernel_size[0] // 2, x.shape[1]
            padded = F.pad(x * mask, (0, 0, reach, reach))
            taps = self.near.weight[:, 0].to(padded.dtype)
            y = self.near.bias + sum(padded[:, tap : tap + frames] * taps[:, tap] for tap in range(2 * reach + 1))
        y = self.norm(y, condition)
        return x + self.down(F.gelu(self.up(y), approximate="tanh"))


def copy_layer(layer, weights, name):
    layer.weight.copy_(weights[name + ".weight"])
    layer.bias.copy_(weights[name + ".bias"])


class Bert(nn.Module):
    def __init__(self):
        super().__init__()
        self.symbol = nn.Embedding(SYMBOLS, EMBEDDING)
        self.place = nn.Parameter(torch.zeros(LONGEST, EMBEDDING))
        self.norm = nn.LayerNorm(EMBEDDING, 1e-12)
        self.enter = QuantLinear(EMBEDDING, WIDTH)
        self.layers = nn.ModuleList(BertLayer() for _ in range(PASSES))
        self.leave = QuantLinear(WIDTH, SOUND)

    @torch.no_grad()
    def initialize(self, teacher):
        """Copies the teacher's weights."""
        w, a, offset = teacher.weights, teacher.albert, "bert.embeddings."
        self.symbol.weight.copy_(w[offset + "word_embeddings.weight"])
        self.place.copy_(w[offset + "position_embeddings.weight"] + w[offset + "token_type_embeddings.weight"][0])
        copy_layer(self.norm, w, offset + "LayerNorm")
        copy_layer(self.enter, w, "bert.encoder.embedding_hidden_mapping_in")
        for layer in self.layers:
            for key in ("weight", "bias"):
                parts = [w[f"{a}attention.{part}.{key}"] for part in ("query", "key", "value")]
                getattr(layer.look, key).copy_(torch.cat(parts))
            copy_layer(layer.dense, w, a + "attention.dense")
            copy_layer(layer.norm1, w, a + "attention.LayerNorm")
            copy_layer(layer.up, w, a + "ffn")
            copy_layer(layer.down, w, a + "ffn_output")
            copy_layer(layer.norm2, w, a + "full_layer_layer_norm")
        copy_layer(self.leave, w, "bert_encoder")

    def forward(self, ids, valid=None):
        """-> [B, n, 512], and the output of each layer"""
        x = self.enter(self.norm(self.symbol(ids) + self.place[: ids.shape[1]]))
        hidden_states = []
        for layer in self.layers:
            x = layer(x, valid)
            hidden_states.append(x)
        return self.leave(x), hidden_states


class FrozenDurations:
    """The duration predictor of the teacher: differentiable, but not trained."""

    def __init__(self, teacher):
        self.teacher = teacher

    def __call__(self, bert_output, style, valid, lengths):
        with torch.autocast("cuda", enabled=False):
            prosody, durations = self.teacher.prosody(bert_output.float(), style, valid, lengths)
        return prosody[..., :SOUND], durations


class PitchNetwork(nn.Module):
    def __init__(self, width=320, hidden=800, layers=6):
        super().__init__()
        self.spread = QuantLinear(SOUND, width)
        self.within = nn.Linear(4, width)
        self.whole = nn.Sequential(nn.Linear(STYLE + SOUND, STYLE), nn.GELU(approximate="tanh"), nn.Linear(STYLE, STYLE))
        self.layers = nn.ModuleList(FrameLayer(width, hidden, STYLE) for _ in range(layers))
        self.norm = Norm(width, STYLE)
        self.leave = nn.Linear(width, 6)

    def forward(self, prosody, style, index, place, mask=None, valid=None):
        """`prosody` [B, n, 512]: prosody features of each phoneme; `index` [B, T]: the phoneme of each frame; `place` [B, T, 4]
        -> logit of voicing, octaves above 200 Hz, energy: [B, 2 T] each"""
        if valid is None:
            mean = prosody.mean(1)
        else:
            mean = (prosody * valid[..., None]).sum(1) / valid.sum(1, keepdim=True)
        condition = self.whole(torch.cat([style, mean], -1)) + style
        x = self.spread(prosody)
        x = x.gather(1, index[..., None].expand(-1, -1, x.shape[2])) if mask is not None else x[:, index[0]]
        x = x + self.within(place)
        for layer in self.layers:
            x = layer(x, mask, condition)
        x = self.leave(self.norm(x, condition))
        return [part.flatten(1) for part in x.unflatten(-1, (3, 2)).unbind(2)]


class Reader(nn.Module):
    def __init__(self, **shape):
        super().__init__()
        self.bert, self.pitch_network = Bert(), PitchNetwork(**shape)


def position_in_phoneme(counts, index):
    """The position of each frame in its phoneme: counts [B, n], index [B, T] -> [B, T, 4]"""
    ends = counts.cumsum(1)
    length = counts.gather(1, index)
    offset = torch.arange(index.shape[1], device=index.device)[None] - (ends.gather(1, index) - length)
    return torch.stack([(offset + 0.5) / length.clamp(min=1), offset * 0.1, (length - 1 - offset) * 0.1, torch.log(length.clamp(min=1)) * 0.5], -1)


class BertEngine(nn.Module):
    """The interface of the engine, for one text."""

    def __init__(self, bert):
        super().__init__()
        self.bert = bert

    def forward(self, input_ids):
        return self.bert(input_ids)[0]


class PitchEngine(nn.Module):
    """The interface of the engine, for one text. `prosody` [1, n, 640] is 512 features and the style, as in Kokoro."""

    def __init__(self, pitch_network):
        super().__init__()
        self.pitch_network = pitch_network

    def forward(self, prosody, style, counts):
        ends = counts.cumsum(1)
        offset = torch.arange(ends[0, -1].long(), device=ends.device)
        index = (ends[:, None, :] <= offset[None, :, None].float()).long().sum(-1)
        voiced, octaves, energy = self.pitch_network(prosody[..., :SOUND], style[:, STYLE:], index, position_in_phoneme(counts, index))
        return torch.exp(octaves * math.log(2)) * 200 * (voiced > 0).float(), energy


def load(path, device="cpu", **shape):
    """Weights of train.py or checkpoint.py."""
    reader, stored = Reader(**shape).to(device), torch.load(path, map_location=device, weights_only=True)
    reader.load_state_dict({key: value.float() if value.is_floating_point() else value for key, value in stored.items()})
    return reader

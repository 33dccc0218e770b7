"""The reader: a small network that replaces PL-BERT, the slowest part of Kokoro's encoder half.

PL-BERT applies one layer twelve times. `Bert` has six layers that are initialized with that layer, without the quarter of its hidden
units that matters least. The text encoder and the predictors of durations, pitch and energy are Kokoro's own (`FrozenPredictors`).
All matrix products can be computed in 8 bits.
"""

import os
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from quantise import POSITIVE, QuantLinear

SYMBOLS, LONGEST, SOUND = 178, 512, 512
EMBEDDING, WIDTH, HEADS = 128, 768, 12  # of PL-BERT
HIDDEN = 1536  # hidden units of a feed-forward part, of PL-BERT's 2048
PASSES = 6
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
    def initialize(self, teacher, ids, valid):
        """Copies the teacher's weights. The texts decide which hidden units are kept."""
        w, a, offset = teacher.weights, teacher.albert, "bert.embeddings."
        self.symbol.weight.copy_(w[offset + "word_embeddings.weight"])
        self.place.copy_(w[offset + "position_embeddings.weight"] + w[offset + "token_type_embeddings.weight"][0])
        copy_layer(self.norm, w, offset + "LayerNorm")
        copy_layer(self.enter, w, "bert.encoder.embedding_hidden_mapping_in")
        up, down = a + "ffn", a + "ffn_output"
        units = []
        teacher.bert(ids, valid, units)
        units = torch.cat(units)
        effect = units.square().mean(0) * w[down + ".weight"].square().sum(0)
        order = effect.argsort(descending=True)
        kept, left_out = order[:HIDDEN].sort()[0], order[HIDDEN:]
        for layer in self.layers:
            for key in ("weight", "bias"):
                parts = [w[f"{a}attention.{part}.{key}"] for part in ("query", "key", "value")]
                getattr(layer.look, key).copy_(torch.cat(parts))
            copy_layer(layer.dense, w, a + "attention.dense")
            copy_layer(layer.norm1, w, a + "attention.LayerNorm")
            layer.up.weight.copy_(w[up + ".weight"][kept])
            layer.up.bias.copy_(w[up + ".bias"][kept])
            layer.down.weight.copy_(w[down + ".weight"][:, kept])
            # The mean of the units that are left out stays.
            layer.down.bias.copy_(w[down + ".bias"] + w[down + ".weight"][:, left_out] @ units.mean(0)[left_out])
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


class FrozenPredictors:
    """The teacher's predictors of durations, pitch and energy: differentiable, but not trained."""

    def __init__(self, teacher):
        self.teacher = teacher

    def durations(self, bert_output, style, valid, lengths):
        """-> prosody features of each phoneme, [B, n, 640]; its duration in frames, [B, n]"""
        with torch.autocast("cuda", enabled=False):
            return self.teacher.prosody(bert_output.float(), style[:, 128:], valid, lengths)

    def pitch_and_energy(self, prosody, style, index, frames):
        """With the durations of the teacher. -> [B, 2 T] each"""
        with torch.autocast("cuda", enabled=False):
            spread = prosody.gather(1, index[..., None].expand(-1, -1, prosody.shape[2]))
            return self.teacher.pitch_and_energy(spread, style[:, 128:], frames)


class BertEngine(nn.Module):
    """The interface of the engine, for one text."""

    def __init__(self, bert):
        super().__init__()
        self.bert = bert

    def forward(self, input_ids):
        return self.bert(input_ids)[0]


def load(path, device="cpu"):
    """Weights of train.py or checkpoint.py."""
    bert, stored = Bert().to(device), torch.load(path, map_location=device, weights_only=True)
    bert.load_state_dict({key: value.float() for key, value in stored.items()})
    return bert

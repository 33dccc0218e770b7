"""The reader: a small network that takes the place of Kokoro's encoder half.

It reads phonemes and a voice's style and says what Kokoro's PL-BERT, text encoder, duration and pitch predictors say together:
what each phoneme is for the decoder (512 numbers), how many frames it lasts, pitch and energy 80 times a second. No recurrence;
every product of matrices can be done in eight bits.
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
BINS = 50  # a duration is a sum of so many shares, as in the teacher
HEADS = 6


class Norm(nn.Module):
    """Layer norm whose scale and shift come from a condition, if there is one."""

    def __init__(self, width, condition):
        super().__init__()
        self.width = width
        self.own = nn.Parameter(torch.stack([torch.zeros(width), torch.zeros(width)]))
        self.by = nn.Linear(condition, 2 * width) if condition else None

    def forward(self, x, condition):
        scale, shift = self.own[0], self.own[1]
        if self.by is not None:
            more, to = self.by(condition)[:, None].chunk(2, -1)
            scale, shift = scale + more, shift + to
        return F.layer_norm(x, (self.width,)) * (1 + scale) + shift


class Depthwise(nn.Module):
    def __init__(self, width, kernel):
        super().__init__()
        self.conv = nn.Conv1d(width, width, kernel, padding=kernel // 2, groups=width)

    def forward(self, x, mask):
        return self.conv((x if mask is None else x * mask).transpose(1, 2)).transpose(1, 2)


class TokenLayer(nn.Module):
    def __init__(self, width, hidden, condition=0, kernel=5):
        super().__init__()
        self.near = Depthwise(width, kernel)
        self.norm1, self.norm2 = Norm(width, condition), Norm(width, condition)
        self.look = QuantLinear(width, 3 * width)
        self.seen = QuantLinear(width, width)
        self.up, self.down = QuantLinear(width, hidden), QuantLinear(hidden, width, POSITIVE)

    def forward(self, x, mask, condition):
        x = x + self.near(x, mask)
        q, k, v = self.look(self.norm1(x, condition)).unflatten(-1, (3, HEADS, -1)).permute(2, 0, 3, 1, 4).unbind(0)
        if mask is None:
            seen = torch.softmax(q @ k.transpose(2, 3) * k.shape[-1] ** -0.5, -1) @ v
        else:
            seen = F.scaled_dot_product_attention(q, k, v, attn_mask=(mask > 0)[:, None, :, 0][:, :, None])
        x = x + self.seen(seen.transpose(1, 2).flatten(2))
        return x + self.down(F.gelu(self.up(self.norm2(x, condition)), approximate="tanh"))


class FrameLayer(nn.Module):
    def __init__(self, width, hidden, condition, kernel=7):
        super().__init__()
        self.near = Depthwise(width, kernel)
        self.norm = Norm(width, condition)
        self.up, self.down = QuantLinear(width, hidden), QuantLinear(hidden, width, POSITIVE)

    def forward(self, x, mask, condition):
        y = self.norm(self.near(x, mask), condition)
        return x + self.down(F.gelu(self.up(y), approximate="tanh"))


class SoundLayer(nn.Module):
    def __init__(self, width, hidden, kernel=7):
        super().__init__()
        self.near, self.norm = Depthwise(width, kernel), Norm(width, 0)
        self.up, self.down = QuantLinear(width, hidden), QuantLinear(hidden, width, POSITIVE)

    def forward(self, x, mask):
        y = self.norm(self.near(x, mask), None)
        return x + self.down(F.gelu(self.up(y), approximate="tanh"))


class Reader(nn.Module):
    def __init__(self, width=384, hidden=1152, layers=6, manners=3, frame_width=256, frame_hidden=640, frames=6, sounds=3):
        super().__init__()
        self.symbol = nn.Embedding(SYMBOLS, width)
        self.place = nn.Parameter(torch.randn(LONGEST, width) * 0.02)
        self.layers = nn.ModuleList(TokenLayer(width, hidden) for _ in range(layers))
        self.norm = Norm(width, 0)
        # What a phoneme sounds like is decided nearby, and 512 numbers do not pass through 384: a way of its own.
        self.letter = nn.Embedding(SYMBOLS, SOUND)
        self.sounds = nn.ModuleList(SoundLayer(SOUND, 2 * SOUND) for _ in range(sounds))
        self.sound = QuantLinear(SOUND, SOUND)
        self.manners = nn.ModuleList(TokenLayer(width, hidden, STYLE) for _ in range(manners))
        self.manner_norm = Norm(width, STYLE)
        self.lasting = QuantLinear(width, BINS)
        self.spread = QuantLinear(width, frame_width)
        self.within = nn.Linear(4, frame_width)
        self.whole = nn.Sequential(nn.Linear(STYLE + width, STYLE), nn.GELU(approximate="tanh"), nn.Linear(STYLE, STYLE))
        self.frames = nn.ModuleList(FrameLayer(frame_width, frame_hidden, STYLE) for _ in range(frames))
        self.frame_norm = Norm(frame_width, STYLE)
        self.leave = nn.Linear(frame_width, 6)
        # What the teacher thinks on the way; only training looks at it.
        self.known, self.said = nn.Linear(width, 512), nn.Linear(width, 512)
        self.register_buffer("sound_level", torch.ones(SOUND))
        nn.init.normal_(self.symbol.weight, std=0.5)
        nn.init.normal_(self.letter.weight, std=0.5)
        nn.init.constant_(self.lasting.bias, -2.5)

    def sound_of(self, ids, mask=None):
        x = self.letter(ids)
        for layer in self.sounds:
            x = layer(x, mask)
        return self.sound(x) * self.sound_level

    def tokens(self, ids, style, mask=None):
        x = self.symbol(ids) + self.place[: ids.shape[1]]
        for layer in self.layers:
            x = layer(x, mask, None)
        base = self.norm(x, None)
        for layer in self.manners:
            x = layer(x, mask, style)
        manner = self.manner_norm(x, style)
        return base, manner

    def melody(self, manner, style, index, within, mask=None, token_mask=None):
        """`index` [B, T]: the phoneme of each frame; `within` [B, T, 4] -> voiced?, octaves above 200 Hz, energy: [B, 2 T] each"""
        if token_mask is None:
            mean = manner.mean(1)
        else:
            mean = (manner * token_mask).sum(1) / token_mask.sum(1)
        condition = self.whole(torch.cat([style, mean], -1)) + style
        x = self.spread(manner)
        x = x.gather(1, index[..., None].expand(-1, -1, x.shape[2])) if mask is not None else x[:, index[0]]
        x = x + self.within(within)
        for layer in self.frames:
            x = layer(x, mask, condition)
        x = self.leave(self.frame_norm(x, condition))
        return [part.flatten(1) for part in x.unflatten(-1, (3, 2)).unbind(2)]


def within(counts, index):
    """Where in its phoneme a frame is: counts [B, n], index [B, T] -> [B, T, 4]"""
    ends = counts.cumsum(1)
    lasts = counts.gather(1, index)
    at = torch.arange(index.shape[1], device=index.device)[None] - (ends.gather(1, index) - lasts)
    return torch.stack([(at + 0.5) / lasts.clamp(min=1), at * 0.1, (lasts - 1 - at) * 0.1, torch.log(lasts.clamp(min=1)) * 0.5], -1)


class Engine(nn.Module):
    """As an engine calls it: one text, the names and shapes of the encoder half that it replaces."""

    def __init__(self, reader):
        super().__init__()
        self.reader = reader

    def forward(self, input_ids, style, speed):
        r, manner_style = self.reader, style[:, 128:]
        _, manner = r.tokens(input_ids, manner_style)
        lasting = torch.sigmoid(r.lasting(manner)).sum(-1) / speed
        counts = lasting.round().clamp(min=1)
        ends = counts.cumsum(1)
        at = torch.arange(ends[0, -1].long(), device=ends.device)
        index = (ends[:, None, :] <= at[None, :, None].float()).long().sum(-1)
        voiced, octaves, energy = r.melody(manner, manner_style, index, within(counts, index))
        pitch = torch.exp(octaves * math.log(2)) * 200 * (voiced > 0).float()
        sounds = r.sound_of(input_ids)[:, index[0]]
        return sounds.transpose(1, 2), pitch, energy, counts


def load(path, device="cpu", **shape):
    """Weights of train.py or checkpoint.py; parts that were not there yet begin anew."""
    reader, stored = Reader(**shape).to(device), torch.load(path, map_location=device, weights_only=True)
    own = reader.state_dict()
    fitting = {key: value.float() if value.is_floating_point() else value for key, value in stored.items() if key in own and own[key].shape == value.shape}
    reader.load_state_dict(fitting, strict=False)
    return reader

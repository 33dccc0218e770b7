"""The student: a network at 80 frames per second that filters a harmonic source and noise to imitate the teacher's decoder.

packages/speech/assets/kokoro-student/README.md specifies it for engines; the two must agree. There is no normalization over
time and no padding, so the output of windows equals that of the whole.
"""

import functools
import math
import os
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from quantise import POSITIVE, QuantLinear

RATE = 24_000
HOP = 300
FFT = 1024
BINS = FFT // 2 + 1
LOW_BINS = 64
STYLE = 128
ASR = 512
FEATURES = ASR + 4 + 2 * LOW_BINS
SUMMARY = 2 * ASR + 4
SOURCE_LEVEL = 0.1
SOURCE_TOP = 11_500.0
SOURCE_BOTTOM = 60.0
# The window of a frame overlaps this many frames on either side.
OVERLAP = 2


class Block(nn.Module):
    def __init__(self, width, hidden, condition, kernel=7):
        super().__init__()
        self.trim = kernel // 2
        self.depthwise = nn.Conv1d(width, width, kernel, groups=width)
        self.norm = nn.LayerNorm(width, elementwise_affine=False)
        self.modulate = nn.Linear(condition, 2 * width)
        self.up = QuantLinear(width, hidden)
        self.down = QuantLinear(hidden, width, POSITIVE)
        self.scale = nn.Parameter(torch.full((width,), 0.1))

    def forward(self, x, condition):
        y = self.depthwise(x.transpose(1, 2)).transpose(1, 2)
        scale, shift = self.modulate(condition)[:, None].chunk(2, -1)
        y = self.norm(y) * (1 + scale) + shift
        y = self.down(F.gelu(self.up(y), approximate="tanh")) * self.scale
        return x[:, self.trim : x.shape[1] - self.trim] + y


class Enter(nn.Module):
    """The first convolution, over three frames. Features are scaled to the same range before they are quantized."""

    def __init__(self, features, width):
        super().__init__()
        self.register_buffer("level", torch.ones(features))
        self.mix = QuantLinear(3 * features, width)

    def forward(self, features):
        x, frames = features * self.level, features.shape[1] - 2
        return self.mix(torch.cat([x[:, tap : tap + frames] for tap in range(3)], -1))

    @torch.no_grad()
    def set_range(self, largest):
        """`largest`: of each feature."""
        level = 1 / largest.clamp(min=1e-3)
        self.mix.weight.mul_((self.level / level).repeat(3))
        self.level.copy_(level)


class Student(nn.Module):
    def __init__(self, width=448, hidden=1344, blocks=8, condition=192):
        super().__init__()
        self.context = 1 + 3 * blocks
        self.condition = nn.Sequential(nn.Linear(STYLE + SUMMARY, condition), nn.GELU(approximate="tanh"), nn.Linear(condition, condition))
        self.enter = Enter(FEATURES, width)
        self.blocks = nn.ModuleList(Block(width, hidden, condition) for _ in range(blocks))
        # Speech has no energy below 35 Hz and above 11.95 kHz. The losses hardly depend on these bins, so they would drift.
        heard = torch.ones(BINS)
        heard[[0, 1, BINS - 2, BINS - 1]] = 0
        self.register_buffer("heard", heard, persistent=False)
        self.norm = nn.LayerNorm(width)
        self.leave = QuantLinear(width, 5 * BINS)
        # Levels of each frequency that depend on the voice alone. Blocks can change them only in all frames together.
        self.leave_by_voice = nn.Linear(condition, 5 * BINS, bias=False)
        nn.init.zeros_(self.leave_by_voice.weight)
        nn.init.normal_(self.leave.weight, std=0.02)
        with torch.no_grad():
            # Initial levels: harmonics, a little noise, almost no additional spectrum.
            self.leave.bias.zero_()
            for part, level in ((0, -3.0), (2, -7.0), (3, -3.0)):
                self.leave.bias[part * BINS : (part + 1) * BINS] = level

    def raw(self, features, condition):
        """features [B, frames + 2 context, FEATURES], condition [B, STYLE + SUMMARY] -> [B, frames, 5 BINS]"""
        condition = self.condition(condition)
        x = self.enter(features)
        for block in self.blocks:
            x = block(x, condition)
        with torch.autocast("cuda", enabled=False):
            return self.leave(self.norm(x.float())) + self.leave_by_voice(condition.float())[:, None]

    def forward(self, features, condition):
        """-> [5, B, frames, BINS]: the source's gain (re, im), the noise's gain, the additional spectrum (re, im)"""
        gain, turn, noise, free, angle = self.raw(features, condition).chunk(5, -1)
        gain = torch.exp(gain.clamp(max=4.0)) * self.heard
        noise = torch.exp(noise.clamp(max=2.0)) * self.heard
        free = torch.exp(free.clamp(max=5.0)) * self.heard
        return torch.stack([gain * turn.cos(), gain * turn.sin(), noise, free * angle.cos(), free * angle.sin()])


def window(device):
    return torch.hann_window(FFT, periodic=True, device=device)


@functools.cache
def overlap_sum(device):
    """The sum of the squared windows of all frames at each sample of a hop, [HOP]. Slow to compute, so it is cached."""
    squared = window("cpu") ** 2
    total = torch.zeros(HOP)
    for frame in range(-OVERLAP, OVERLAP + 1):
        for place in range(HOP):
            at = place - frame * HOP - HOP // 2 + FFT // 2
            if 0 <= at < FFT:
                total[place] += squared[at]
    return total.to(device)


def running_phase(pitch):
    """Cycles at the middle of each frame of a whole text, [frames] in double."""
    return torch.cumsum(pitch.double() / (RATE / HOP), -1)


def harmonic_source(pitch, phase):
    """pitch and phase at frame middles [B, frames] -> samples [B, frames * HOP]. The last frame needs the pitch of the next one."""
    following = F.pad(pitch[:, 1:], (0, 1), mode="replicate")
    offset = (torch.arange(HOP, device=pitch.device) + 0.5 - HOP / 2) / HOP
    slope = torch.where(offset < 0, pitch[..., None], following[..., None]) / (RATE / HOP)
    cycles = phase[..., None] + offset * slope
    cycles = cycles - cycles.floor()
    voiced = (pitch > 10)[..., None]
    harmonics = torch.floor(SOURCE_TOP / pitch.clamp(min=SOURCE_BOTTOM))[..., None]
    # cos θ + cos 2θ + … + cos Kθ
    half = math.pi * cycles
    below = half.sin()
    close = below.abs() < 1e-4
    kernel = torch.sin((2 * harmonics + 1) * half) / torch.where(close, torch.ones_like(below), below)
    total = torch.where(close, harmonics.expand_as(kernel), (kernel - 1) / 2)
    return (total * voiced * SOURCE_LEVEL).flatten(1)


def spectra(samples, frames):
    """samples [B, (frames + 2 OVERLAP) HOP] -> [B, frames, BINS]; frame t is centred on the middle of its hop."""
    start = OVERLAP * HOP + HOP // 2 - FFT // 2
    framed = samples[:, start:].unfold(1, FFT, HOP)[:, :frames]
    return torch.fft.rfft(framed * window(samples.device), dim=-1)


def frame_features(asr, pitch, energy, valid, source):
    """asr [B, frames, 512] (at 80 Hz), the others [B, frames], source [B, frames, BINS] complex."""
    voiced = (pitch > 10).float()
    tone = torch.log(pitch.clamp(min=10) / 200) * voiced
    low = source[..., :LOW_BINS] * 0.05
    features = torch.cat([asr, torch.stack([tone, voiced, energy * 0.15, torch.ones_like(tone)], -1), low.real, low.imag], -1)
    return features * valid[..., None]


def summary(asr, pitch, energy):
    """The statistics of the teacher's instance normalization over the whole text: asr [T, 512], pitch and energy [2T] -> [SUMMARY]."""
    voiced = (pitch > 10).float()
    count = voiced.sum().clamp(min=1)
    tone = (torch.log(pitch.clamp(min=10) / 200) * voiced).sum() / count
    rest = torch.stack([energy.mean() * 0.15, energy.std(unbiased=False) * 0.15, tone, voiced.mean()])
    return torch.cat([asr.mean(0) * 4, asr.std(0, unbiased=False) * 4, rest])


def synthesize(parts, source, noise):
    """parts [5, B, frames, BINS], spectra of source and noise -> samples of the frames that have all their neighbours."""
    spectrum = torch.complex(parts[0], parts[1]) * source + parts[2] * noise + torch.complex(parts[3], parts[4])
    framed = torch.fft.irfft(spectrum, FFT, dim=-1) * window(spectrum.device)
    frames = framed.shape[1]
    whole = F.fold(framed.transpose(1, 2), (1, (frames - 1) * HOP + FFT), (1, FFT), stride=(1, HOP))[:, 0, 0]
    start = OVERLAP * HOP + FFT // 2 - HOP // 2
    kept = whole[:, start : start + (frames - 2 * OVERLAP) * HOP]
    return kept / overlap_sum(kept.device).repeat(frames - 2 * OVERLAP)


def counted_noise(start, count):
    """The engine's noise: sample n of a text is a hash of n, so that windows need no state. Uniform, variance 1."""
    mask = 0xFFFFFFFF
    x = torch.arange(start, start + count, dtype=torch.int64) & mask
    x = x ^ (x >> 16)
    x = (x * 0x7FEB352D) & mask
    x = x ^ (x >> 15)
    x = (x * 0x846CA68B) & mask
    x = x ^ (x >> 16)
    return (x.double() / 2**31 - 1).float() * math.sqrt(3)


def speak(student, asr, pitch, energy, style):
    """A whole text at once: asr [T, 512], pitch and energy [2T], style [128] -> samples [600 T]."""
    device = asr.device
    frames = pitch.shape[0]
    reach = student.context + OVERLAP
    padded = lambda x, n: F.pad(x, (n, n))
    condition = torch.cat([style, summary(asr, pitch, energy)])[None]
    extra = 2 * OVERLAP
    wide_pitch = padded(pitch[None], extra)
    phase = padded(running_phase(pitch)[None], extra)
    source = spectra(harmonic_source(wide_pitch, (phase - phase.floor()).float()), frames + 2 * OVERLAP)
    noise = spectra(counted_noise(-extra * HOP, (frames + 2 * extra) * HOP).to(device)[None], frames + 2 * OVERLAP)
    inner = source[:, OVERLAP : OVERLAP + frames]
    features = frame_features(asr.repeat_interleave(2, 0)[None], pitch[None], energy[None], torch.ones_like(pitch)[None], inner)
    features = F.pad(features, (0, 0, reach, reach))
    return synthesize(student(features, condition), source, noise)[0]


def load(path, device="cpu"):
    """Loads weights of train.py or import_onnx.py. Layers without a step size compute in float32."""
    student, stored = Student().to(device), torch.load(path, map_location=device, weights_only=True)
    stored = {key: value.float() for key, value in stored.items()}
    if "enter.weight" in stored:  # older weights, without quantization of the first convolution
        weight = stored.pop("enter.weight").permute(0, 2, 1).flatten(1)
        stored |= {"enter.mix.weight": weight, "enter.mix.bias": stored.pop("enter.bias")}
    student.load_state_dict(stored, strict=False)
    for name, layer in student.named_modules():
        if isinstance(layer, QuantLinear):
            layer.learn = f"{name}.log_step" in stored
    return student

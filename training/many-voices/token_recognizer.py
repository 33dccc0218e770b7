"""Token recognition, independent of the speaker: from audio to Kokoro's tokens and the 512 text features of its encoder.

A loss on x-vectors alone makes speech unintelligible, so the tokens must be recognized in the student's output.
For recordings, whose phonemes are not known, the text features are estimated.
"""

import math

import torch
import torch.nn as nn

import paths  # noqa: F401  adds the other folders to the import path
import student as st

BANDS, WIDTH, FFT, TOKENS = 80, 384, 1024, 178
STEPS, BATCH, CROP = 6000, 64, 96  # frames of 40 Hz
MAX_LOG_SPEED = 0.25  # of resampling, natural logarithm


def points_of():
    to_mel = lambda f: 2595 * math.log10(1 + f / 700)
    return 700 * (10 ** (torch.linspace(to_mel(50), to_mel(8000), BANDS + 2) / 2595) - 1)


def centres_of():
    return points_of()[1:-1]


def bank_of():
    points = points_of()
    bins = torch.linspace(0, st.RATE / 2, FFT // 2 + 1)[:, None]
    return torch.minimum((bins - points[:-2]) / (points[1:-1] - points[:-2]), (points[2:] - bins) / (points[2:] - points[1:-1])).clamp(min=0)


class TokenRecognizer(nn.Module):
    """[B, samples at 24 kHz] -> text features [B, frames of 40 Hz, 512], logits of the tokens [B, frames, 178]"""

    def __init__(self):
        super().__init__()
        self.register_buffer("bank", bank_of())
        self.register_buffer("centres", centres_of())
        self.register_buffer("window", torch.hann_window(FFT))
        self.enter = nn.Conv1d(BANDS, WIDTH, 4, stride=2, padding=1)
        block = lambda d: nn.Sequential(nn.GroupNorm(1, WIDTH), nn.Conv1d(WIDTH, 2 * WIDTH, 3, padding=d, dilation=d), nn.GLU(1), nn.Conv1d(WIDTH, WIDTH, 1))
        self.blocks = nn.ModuleList(block(d) for d in (1, 2, 4, 1, 2, 4))
        self.leave = nn.Sequential(nn.GroupNorm(1, WIDTH), nn.Conv1d(WIDTH, st.ASR + TOKENS, 1))

    def bands(self, wave):
        """Log-mel bands at 80 Hz without their mean, so that level and microphone have no effect."""
        padded = nn.functional.pad(wave, ((FFT - st.HOP) // 2, FFT - st.HOP - (FFT - st.HOP) // 2))
        bins = torch.fft.rfft(padded.unfold(1, FFT, st.HOP) * self.window)
        x = torch.log((bins.real**2 + bins.imag**2) @ self.bank + 1e-4).transpose(1, 2)
        return x - x.mean(2, keepdim=True)

    def forward(self, wave, max_hertz=8000.0):
        """`max_hertz`: bands above this frequency are ignored; a number, or one per item, [B, 1, 1]."""
        x = self.enter(self.bands(wave) * (self.centres[:, None] <= max_hertz))
        for block in self.blocks:
            x = x + block(x)
        return self.leave(x).transpose(1, 2).split((st.ASR, TOKENS), 2)


class TokenLoss:
    """The loss on the tokens of generated speech."""

    def __init__(self, network):
        self.network = network.eval().requires_grad_(False)

    @torch.no_grad()
    def features(self, wave, max_hertz):
        return self.network(wave, max_hertz)[0]

    def __call__(self, wave, tokens, max_hertz=8000.0):
        """`tokens`: [B, frames] -> [B], the mean cross-entropy in nats."""
        return nn.functional.cross_entropy(self.network(wave, max_hertz)[1].transpose(1, 2), tokens.long(), reduction="none").mean(1)


def resampled_crop(audio, rows, start, factor, count):
    """`count` samples of some rows from `start` on, resampled by `factor` with linear interpolation."""
    position = start + torch.arange(count, device=audio.device) * factor
    low = position.long()
    share = position - low
    return (audio[rows, low].float() * (1 - share) + audio[rows, low + 1].float() * share) / 32767


def train_recognizer(parts, device, steps=STEPS):
    """`parts`: waves of 24 kHz (int16 [n, samples]) with text features ([n, frames of 40 Hz, 512]) and tokens ([n, frames]), sampled with equal weight. -> TokenLoss"""
    network = TokenRecognizer().to(device)
    # Most values are near zero, so the scale is computed around zero.
    scale = torch.cat([text_features[:512].float().flatten(0, 1) for _, text_features, _ in parts]).square().mean(0).sqrt().clamp(min=0.02)
    optimizer = torch.optim.AdamW(network.parameters(), 1e-3, weight_decay=0.01)
    hop, per_part = 2 * st.HOP, BATCH // len(parts)
    for step in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = 1e-3 * 0.5 * (1 + math.cos(math.pi * step / steps))
        waves, target_features, target_tokens = [], [], []
        for audio, text_features, tokens in parts:
            rows = torch.randint(len(audio), (per_part, 1), device=device)
            # Half of them are resampled, which shifts pitch and formants: some languages have few voices.
            speed = torch.exp(MAX_LOG_SPEED * (2 * torch.rand(per_part, 1, device=device) - 1) * (torch.rand(per_part, 1, device=device) < 0.5))
            start = (torch.rand(per_part, 1, device=device) * (text_features.shape[1] - 1 - CROP * speed)).floor()
            waves.append(resampled_crop(audio, rows, start * hop, speed, CROP * hop))
            frames = (start + (torch.arange(CROP, device=device) + 0.5) * speed).long()
            target_features.append(text_features[rows, frames].float())
            target_tokens.append(tokens[rows, frames].long())
        wave = torch.cat(waves)
        # Noise at -20 to -60 dB, against overfitting to single bins.
        level = wave.square().mean(1, keepdim=True).sqrt() * 10 ** (-(1 + 2 * torch.rand(len(wave), 1, device=device)))
        # A random low-pass filter, as recordings have.
        max_hertz = 3500 + 9000 * torch.rand(len(wave), 1, 1, device=device)
        features, logits = network(wave + level * torch.randn_like(wave), max_hertz)
        loss = ((features - torch.cat(target_features)) / scale).square().mean() + nn.functional.cross_entropy(logits.transpose(1, 2), torch.cat(target_tokens))
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
    return TokenLoss(network)

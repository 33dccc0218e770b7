"""A network that hears what is said, independent of the speaker: from audio to Kokoro's tokens and the 512 sound features of its text encoder.

Likeness alone makes voices that nobody understands: the tokens must be heard in what the student says with a style.
The sound features are what the student is given to say what is said in a recording.
"""

import math

import torch
import torch.nn as nn

import measure  # which also finds what stands beside this folder
import student as st

BANDS, WIDTH, FFT, TOKENS = 80, 384, 1024, 178
STEPS, BATCH, CROP = 6000, 64, 96  # frames of 40 Hz
WARP = 0.25  # natural logarithm of the greatest change of speed


def points_of():
    to_mel = lambda f: 2595 * math.log10(1 + f / 700)
    return 700 * (10 ** (torch.linspace(to_mel(50), to_mel(8000), BANDS + 2) / 2595) - 1)


def centres_of():
    return points_of()[1:-1]


def bank_of():
    points = points_of()
    bins = torch.linspace(0, st.RATE / 2, FFT // 2 + 1)[:, None]
    return torch.minimum((bins - points[:-2]) / (points[1:-1] - points[:-2]), (points[2:] - bins) / (points[2:] - points[1:-1])).clamp(min=0)


class Sounds(nn.Module):
    """[B, samples at 24 kHz] -> sound features [B, frames of 40 Hz, 512], logits of the tokens [B, frames, 178]"""

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
        """Log-mel bands at 80 Hz without their mean: no level, no microphone."""
        padded = nn.functional.pad(wave, ((FFT - st.HOP) // 2, FFT - st.HOP - (FFT - st.HOP) // 2))
        bins = torch.fft.rfft(padded.unfold(1, FFT, st.HOP) * self.window)
        x = torch.log((bins.real**2 + bins.imag**2) @ self.bank + 1e-4).transpose(1, 2)
        return x - x.mean(2, keepdim=True)

    def forward(self, wave, highest=8000.0):
        """`highest`: nothing above so many Hz is heard; a number, or one for each, [B, 1, 1]."""
        x = self.enter(self.bands(wave) * (self.centres[:, None] <= highest))
        for block in self.blocks:
            x = x + block(x)
        return self.leave(x).transpose(1, 2).split((st.ASR, TOKENS), 2)


class Words:
    """How badly it is heard what should be said."""

    def __init__(self, network):
        self.network = network.eval().requires_grad_(False)

    @torch.no_grad()
    def heard(self, wave, highest):
        return self.network(wave, highest)[0]

    def __call__(self, wave, tokens, highest=8000.0):
        """`tokens`: [B, frames] -> [B], the mean cross-entropy in nats."""
        return nn.functional.cross_entropy(self.network(wave, highest)[1].transpose(1, 2), tokens.long(), reduction="none").mean(1)


def at_speed(sound, rows, start, factor, count):
    """`count` samples of some rows from `start` on, `factor` times as fast; linear interpolation."""
    place = start + torch.arange(count, device=sound.device) * factor
    low = place.long()
    share = place - low
    return (sound[rows, low].float() * (1 - share) + sound[rows, low + 1].float() * share) / 32767


def learn(parts, device, steps=STEPS):
    """`parts`: waves of 24 kHz (int16 [n, samples]) with sounds ([n, frames of 40 Hz, 512]) and tokens ([n, frames]), drawn alike often. -> Words"""
    network = Sounds().to(device)
    # The features of silence and of most sounds are near zero, so the mean is the origin.
    spread = torch.cat([sounds[:512].float().flatten(0, 1) for _, sounds, _ in parts]).square().mean(0).sqrt().clamp(min=0.02)
    optimizer = torch.optim.AdamW(network.parameters(), 1e-3, weight_decay=0.01)
    hop, each = 2 * st.HOP, BATCH // len(parts)
    for step in range(steps):
        for group in optimizer.param_groups:
            group["lr"] = 1e-3 * 0.5 * (1 + math.cos(math.pi * step / steps))
        waves, wanted, said = [], [], []
        for sound, sounds, tokens in parts:
            rows = torch.randint(len(sound), (each, 1), device=device)
            # Half of them faster or slower, which shifts pitch and formants: some languages have few voices.
            warp = torch.exp(WARP * (2 * torch.rand(each, 1, device=device) - 1) * (torch.rand(each, 1, device=device) < 0.5))
            start = (torch.rand(each, 1, device=device) * (sounds.shape[1] - 1 - CROP * warp)).floor()
            waves.append(at_speed(sound, rows, start * hop, warp, CROP * hop))
            frames = (start + (torch.arange(CROP, device=device) + 0.5) * warp).long()
            wanted.append(sounds[rows, frames].float())
            said.append(tokens[rows, frames].long())
        wave = torch.cat(waves)
        # Noise of 20 to 60 dB below, so that what is heard is no accident of single bins.
        level = wave.square().mean(1, keepdim=True).sqrt() * 10 ** (-(1 + 2 * torch.rand(len(wave), 1, device=device)))
        # Half of them without what is above some frequency, as recordings are.
        highest = 3500 + 9000 * torch.rand(len(wave), 1, 1, device=device)
        features, logits = network(wave + level * torch.randn_like(wave), highest)
        loss = ((features - torch.cat(wanted)) / spread).square().mean() + nn.functional.cross_entropy(logits.transpose(1, 2), torch.cat(said))
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
    return Words(network)

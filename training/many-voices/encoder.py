"""From what a speaker sounds like to the 128 numbers with which the student speaks like that."""

import numpy as np
import torch
from torch import nn

HEARD = 129  # x-vector and log2 of the pitch
STYLE = 128
USUAL_PITCH = 7.3
RIDGE = 0.02


class VoiceEncoder(nn.Module):
    def __init__(self, width=768, dropout=0.1):
        super().__init__()
        for name, size in {"usual": HEARD, "scale": HEARD, "mean": STYLE, "spread": STYLE}.items():
            self.register_buffer(name, torch.ones(size))
        self.linear = nn.Linear(HEARD, STYLE)
        self.deep = nn.Sequential(
            nn.Linear(HEARD, width), nn.GELU(), nn.Dropout(dropout), nn.Linear(width, width), nn.GELU(), nn.Dropout(dropout), nn.Linear(width, STYLE)
        )

    @torch.no_grad()
    def begin(self, heard, styles):
        """As a linear map from what is heard of stock voices to their styles."""
        heard = filled(heard)
        self.usual.copy_(heard.mean(0))
        self.scale.copy_(heard.std(0))
        self.mean.copy_(styles.mean(0))
        self.spread.copy_(styles.std(0))
        x, y = (heard - self.usual) / self.scale, (styles - self.mean) / self.spread
        weights = torch.linalg.solve(x.T @ x / len(x) + RIDGE * torch.eye(HEARD, device=x.device), x.T @ y / len(x)).T
        self.linear.weight.copy_(weights)
        self.linear.bias.zero_()
        self.deep[-1].weight.mul_(0.1)
        self.deep[-1].bias.zero_()
        return self

    def places(self, heard):
        """Styles in deviations of the stock voices."""
        x = (filled(heard) - self.usual) / self.scale
        return self.linear(x) + self.deep(x)

    def forward(self, heard):
        return self.mean + self.spread * self.places(heard)


LANGUAGES = ("es", "fr", "hi", "it", "ja", "pt", "zh")


class LanguageOffsets(nn.Module):
    """What is added to the style of a voice that speaks another language than its own, in deviations of the stock voices."""

    def __init__(self):
        super().__init__()
        self.table = nn.Parameter(torch.zeros(1 + len(LANGUAGES), STYLE))  # the first row is of English and stays zero

    def forward(self, language):
        """`language`: [...] as `language_index` gives it."""
        rows = torch.arange(1, len(self.table), device=language.device)
        return (language[..., None] == rows).float() @ self.table[1:]


def language_index(name):
    base = name.split("-")[0]
    return 1 + LANGUAGES.index(base) if base in LANGUAGES else 0


def filled(heard):
    """A pitch that is not known is the usual one."""
    return torch.where(heard.isnan(), torch.full_like(heard, USUAL_PITCH), heard)

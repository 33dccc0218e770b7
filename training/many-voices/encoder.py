"""The voice encoder: from features of a speaker to the 128 style values of the student."""

import torch
from torch import nn

#: The columns of the input.
XVECTOR, PITCH, NETWORK = slice(0, 128), 128, slice(129, 257)
FEATURES = 257
STYLE = 128
DEFAULT_PITCH = 7.3
RIDGE = 0.02


class VoiceEncoder(nn.Module):
    def __init__(self, width=768, dropout=0.1):
        super().__init__()
        for name, size in {"usual": FEATURES, "scale": FEATURES, "mean": STYLE, "spread": STYLE}.items():
            self.register_buffer(name, torch.ones(size))
        self.linear = nn.Linear(FEATURES, STYLE)
        self.deep = nn.Sequential(
            nn.Linear(FEATURES, width), nn.GELU(), nn.Dropout(dropout), nn.Linear(width, width), nn.GELU(), nn.Dropout(dropout), nn.Linear(width, STYLE)
        )

    @torch.no_grad()
    def initialize(self, features, styles):
        """Ridge regression from the features of stock voices to their styles."""
        features = with_default_pitch(features)
        self.usual.copy_(features.mean(0))
        self.scale.copy_(features.std(0))
        self.mean.copy_(styles.mean(0))
        self.spread.copy_(styles.std(0))
        x, y = (features - self.usual) / self.scale, (styles - self.mean) / self.spread
        weights = torch.linalg.solve(x.T @ x / len(x) + RIDGE * torch.eye(FEATURES, device=x.device), x.T @ y / len(x)).T
        self.linear.weight.copy_(weights)
        self.linear.bias.zero_()
        self.deep[-1].weight.mul_(0.1)
        self.deep[-1].bias.zero_()
        return self

    def normalized_styles(self, features):
        """Styles in standard deviations of the stock voices."""
        x = (with_default_pitch(features) - self.usual) / self.scale
        return self.linear(x) + self.deep(x)

    def forward(self, features):
        return self.mean + self.spread * self.normalized_styles(features)


LANGUAGES = ("es", "fr", "hi", "it", "ja", "pt", "zh")


class LanguageOffsets(nn.Module):
    """Added to the style of a voice in a language that is not its own, in standard deviations of the stock voices."""

    def __init__(self):
        super().__init__()
        self.table = nn.Parameter(torch.zeros(1 + len(LANGUAGES), STYLE))  # the first row is English, and stays zero

    def forward(self, language):
        """`language`: [...] of `language_index`."""
        rows = torch.arange(1, len(self.table), device=language.device)
        return (language[..., None] == rows).float() @ self.table[1:]


def language_index(name):
    base = name.split("-")[0]
    return 1 + LANGUAGES.index(base) if base in LANGUAGES else 0


def with_default_pitch(features):
    """Replaces an unknown pitch by the default one."""
    return torch.where(features.isnan(), torch.full_like(features, DEFAULT_PITCH), features)

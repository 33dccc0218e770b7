"""Pitch and energy of audio, as Kokoro's decoder expects them: 80 frames per second at 24 kHz."""

import torch

import paths  # noqa: F401  adds the other folders to the import path
from speaker_features import resampled

RATE, HOP = 24_000, 300
MIN_LAG, MAX_LAG, SPAN = 30, 200, 480  # lags and span in samples of 12 kHz: 60 to 400 Hz, 40 ms


def autocorrelation(wave):
    """Normalized autocorrelation of each frame at all lags, [B, frames, MAX_LAG + 2], and the level of each frame."""
    half = resampled(wave, 0.5)
    frames, reach = wave.shape[1] // HOP, SPAN + MAX_LAG + 2
    lead = (reach - HOP // 2) // 2
    spans = torch.nn.functional.pad(half, (lead, reach)).unfold(1, reach, HOP // 2)[:, :frames]
    frame = spans[..., :SPAN]
    product = torch.fft.irfft(torch.fft.rfft(frame, 2048).conj() * torch.fft.rfft(spans, 2048), 2048)[..., : MAX_LAG + 2]
    squares = torch.nn.functional.pad((spans.double() ** 2).cumsum(-1), (1, 0))
    lagged_energy = (squares[..., SPAN : SPAN + MAX_LAG + 2] - squares[..., : MAX_LAG + 2]).float()
    level = frame.square().mean(-1).sqrt()
    return product / torch.sqrt(lagged_energy[..., :1] * lagged_energy + 1e-10), level


@torch.no_grad()
def pitch_track(wave, threshold=0.3):
    """[B, samples] -> pitch in Hz [B, frames], 0 where unvoiced, and its median over voiced frames [B], NaN where few are."""
    correlation, level = autocorrelation(wave)
    correlation[..., :MIN_LAG] = 0
    best = correlation[..., :-1].amax(-1, keepdim=True)
    interior = correlation[..., 1:-1]
    peak = (interior >= correlation[..., :-2]) & (interior >= correlation[..., 2:]) & (interior >= 0.9 * best)
    peak[..., : MIN_LAG - 1] = False
    voiced = (best[..., 0] >= 0.55) & peak.any(-1) & (level >= 0.06 * level.amax(1, keepdim=True))
    first = peak.float().argmax(-1) + 1
    median = torch.where(voiced, torch.log2(RATE / 2 / first), torch.nan).nanmedian(1).values
    unvoiced = voiced.sum(1) < 20
    # A second pass near the median: octave errors are the most common ones.
    lag = torch.arange(correlation.shape[-1], device=wave.device)
    median_lag = RATE / 2 / 2 ** torch.where(unvoiced, torch.full_like(median, 7.3), median)
    near_median = (lag > median_lag[:, None] / 1.8) & (lag < median_lag[:, None] * 1.75)
    near_median[:, -1] = False
    masked = torch.where(near_median[:, None], correlation, -1.0)
    lag_at = masked.argmax(-1).clamp(MIN_LAG, MAX_LAG)
    left, middle, right = (correlation.gather(-1, (lag_at + step)[..., None])[..., 0] for step in (-1, 0, 1))
    curvature = left - 2 * middle + right
    shift = torch.where(curvature < -1e-6, 0.5 * (left - right) / curvature, torch.zeros_like(curvature)).clamp(-0.5, 0.5)
    voiced = (middle >= threshold) & (level >= 0.02 * level.amax(1, keepdim=True)) & ~unvoiced[:, None]
    # A single voiced frame is an error.
    neighbours = torch.nn.functional.pad(voiced, (1, 1))
    voiced &= neighbours[:, :-2] | neighbours[:, 2:]
    return torch.where(voiced, RATE / 2 / (lag_at + shift), 0.0), torch.where(unvoiced, torch.nan, median)


class Energy:
    """The logarithm of the norm of the mel spectrum. The filter bank is that of Kokoro's training, which was made for another rate."""

    def __init__(self, device):
        to_mel = lambda f: 2595 * torch.log10(1 + torch.tensor(f, dtype=torch.float64) / 700)
        points = 700 * (10 ** (torch.linspace(0, to_mel(8000.0).item(), 82, dtype=torch.float64) / 2595) - 1)
        bins = torch.linspace(0, 8000, 1025, dtype=torch.float64)[:, None]
        rising = (bins - points[:-2]) / (points[1:-1] - points[:-2])
        falling = (points[2:] - bins) / (points[2:] - points[1:-1])
        self.bank = torch.minimum(rising, falling).clamp(min=0).float().to(device)
        self.window = torch.nn.functional.pad(torch.hann_window(1200), (424, 424)).to(device)

    @torch.no_grad()
    def __call__(self, wave):
        frames = wave.shape[1] // HOP
        padded = torch.nn.functional.pad(wave, (1024 - HOP // 2, 2048))
        bins = torch.fft.rfft(padded.unfold(1, 2048, HOP)[:, :frames] * self.window)
        mels = (bins.real**2 + bins.imag**2) @ self.bank
        return torch.log((mels + 1e-5).norm(dim=-1))

"""Spectral losses between the student's audio and the teacher's: log-mel, magnitudes, and phase where it is predictable."""

import torch

RATE = 24_000
# Relative to the source, the teacher's phase is stable for the first harmonics only: its coherence over 12.5 ms is 0.76 for the
# third harmonic and 0.27 for the tenth. A phase loss at higher frequencies only lowers their level.
PHASE_FULL_BELOW, PHASE_ZERO_ABOVE = 700.0, 2000.0


def mel_bank(size, bands, device, low=0.0, high=RATE / 2):
    """Triangular filters on the mel scale (HTK), [bins, bands]."""
    to_mel = lambda f: 2595 * torch.log10(1 + torch.tensor(f, dtype=torch.float64) / 700)
    points = torch.linspace(to_mel(low).item(), to_mel(high).item(), bands + 2, dtype=torch.float64)
    points = 700 * (10 ** (points / 2595) - 1)
    bins = torch.linspace(0, RATE / 2, size // 2 + 1, dtype=torch.float64)[:, None]
    rising = (bins - points[:-2]) / (points[1:-1] - points[:-2])
    falling = (points[2:] - bins) / (points[2:] - points[1:-1])
    return torch.minimum(rising, falling).clamp(min=0).float().to(device)


def spectrum(wave, size, step):
    return torch.stft(wave, size, step, size, torch.hann_window(size, device=wave.device), return_complex=True)


class SpectralLoss:
    """-> (log-mel distance, magnitudes' distance, phase distance), each a mean over resolutions."""

    # size, step, bands, highest frequency. The last is similar to the input of recognizers and speaker networks.
    SCALES = ((2048, 512, 128, 12_000), (1024, 256, 100, 12_000), (512, 128, 64, 12_000), (256, 64, 32, 12_000), (600, 240, 60, 4000))

    def __init__(self, device, scales=SCALES):
        self.scales = []
        for size, step, bands, high in scales:
            bins = torch.linspace(0, RATE / 2, size // 2 + 1)
            phase_weights = ((PHASE_ZERO_ABOVE - bins) / (PHASE_ZERO_ABOVE - PHASE_FULL_BELOW)).clamp(0, 1)
            self.scales.append((size, step, mel_bank(size, bands, device, 0.0, high), (phase_weights / phase_weights.sum()).to(device)[None, :, None]))

    def __call__(self, generated, target):
        mel, level, phase = 0.0, 0.0, 0.0
        for size, step, bank, phase_weights in self.scales:
            spectra_of = []
            for wave in (generated, target):
                bins = spectrum(wave, size, step)
                power = bins.real**2 + bins.imag**2
                # With this floor, levels down to -100 dBFS contribute.
                mels = torch.log(torch.sqrt(power + 1e-12).transpose(1, 2) @ bank + 1e-4)
                spectra_of.append((mels, (power + 1e-6) ** 0.15, bins * (power + 1e-6) ** -0.35))
            (mel_a, level_a, bins_a), (mel_b, level_b, bins_b) = spectra_of
            mel = mel + (mel_a - mel_b).abs().mean()
            level = level + (level_a - level_b).abs().mean()
            difference = bins_a - bins_b
            distance = torch.sqrt(difference.real**2 + difference.imag**2 + 1e-8)
            phase = phase + (distance * phase_weights).sum(1).mean()
        count = len(self.scales)
        return mel / count, level / count, phase / count


class MelLoss:
    """The log-mel distance alone, at the four resolutions of the published figures."""

    def __init__(self, device):
        self.loss = SpectralLoss(device, SpectralLoss.SCALES[:4])

    def __call__(self, generated, target):
        return self.loss(generated, target)[0]

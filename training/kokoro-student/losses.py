"""How far the student's audio is from the teacher's: by mel spectra, and by spectra with their phase."""

import torch

RATE = 24_000


def mel_bank(size, bands, device):
    """Triangles even on the mel scale (HTK), [bins, bands]."""
    to_mel = lambda f: 2595 * torch.log10(1 + f / 700)
    points = torch.linspace(0, to_mel(torch.tensor(RATE / 2.0)).item(), bands + 2, dtype=torch.float64)
    points = 700 * (10 ** (points / 2595) - 1)
    bins = torch.linspace(0, RATE / 2, size // 2 + 1, dtype=torch.float64)[:, None]
    rising = (bins - points[:-2]) / (points[1:-1] - points[:-2])
    falling = (points[2:] - bins) / (points[2:] - points[1:-1])
    return torch.minimum(rising, falling).clamp(min=0).float().to(device)


def spectrum(wave, size):
    return torch.stft(wave, size, size // 4, size, torch.hann_window(size, device=wave.device), return_complex=True)


class MelLoss:
    SIZES = ((2048, 128), (1024, 100), (512, 64), (256, 32))

    def __init__(self, device):
        self.banks = [(size, mel_bank(size, bands, device)) for size, bands in self.SIZES]

    def __call__(self, made, wanted):
        total = 0.0
        for size, bank in self.banks:
            levels = []
            for wave in (made, wanted):
                bins = spectrum(wave, size)
                magnitude = torch.sqrt(bins.real**2 + bins.imag**2 + 1e-12)
                # With this floor, a level of -100 dBFS still counts.
                levels.append(torch.log(magnitude.transpose(1, 2) @ bank + 1e-4))
            total = total + (levels[0] - levels[1]).abs().mean()
        return total / len(self.banks)


def complex_loss(made, wanted):
    """Spectra squeezed to the power 0.3, as complex numbers and as magnitudes."""
    total = 0.0
    for size in (2048, 1024, 512, 256):
        squeezed = []
        for wave in (made, wanted):
            bins = spectrum(wave, size)
            power = bins.real**2 + bins.imag**2 + 1e-6
            squeezed.append((bins * power**-0.35, power**0.15))
        (a, x), (b, y) = squeezed
        total = total + (a - b).abs().mean() * 0.5 + (x - y).abs().mean()
    return total / 4

"""How far the student's audio is from the teacher's: by mel spectra, by magnitudes, and by phase where that is predictable."""

import torch

RATE = 24_000
# Relative to its source the teacher's phase is steady at the first harmonics and wanders soon above: within 12.5 ms the
# third still agrees by 0.76, the tenth by 0.27. Punishing wrong phases up there only teaches to be quiet.
PHASE_TO, PHASE_NOT_ABOVE = 700.0, 2000.0


def mel_bank(size, bands, device, low=0.0, high=RATE / 2):
    """Triangles even on the mel scale (HTK), [bins, bands]."""
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

    # size, step, bands, highest frequency. The last is about what recognisers and speaker models look at.
    SCALES = ((2048, 512, 128, 12_000), (1024, 256, 100, 12_000), (512, 128, 64, 12_000), (256, 64, 32, 12_000), (600, 240, 60, 4000))

    def __init__(self, device, scales=SCALES):
        self.scales = []
        for size, step, bands, high in scales:
            bins = torch.linspace(0, RATE / 2, size // 2 + 1)
            steady = ((PHASE_NOT_ABOVE - bins) / (PHASE_NOT_ABOVE - PHASE_TO)).clamp(0, 1)
            self.scales.append((size, step, mel_bank(size, bands, device, 0.0, high), (steady / steady.sum()).to(device)[None, :, None]))

    def __call__(self, made, wanted):
        mel, level, phase = 0.0, 0.0, 0.0
        for size, step, bank, steady in self.scales:
            seen = []
            for wave in (made, wanted):
                bins = spectrum(wave, size, step)
                power = bins.real**2 + bins.imag**2
                # With this floor, a level of -100 dBFS still counts.
                mels = torch.log(torch.sqrt(power + 1e-12).transpose(1, 2) @ bank + 1e-4)
                seen.append((mels, (power + 1e-6) ** 0.15, bins * (power + 1e-6) ** -0.35))
            (mel_a, level_a, bins_a), (mel_b, level_b, bins_b) = seen
            mel = mel + (mel_a - mel_b).abs().mean()
            level = level + (level_a - level_b).abs().mean()
            apart = bins_a - bins_b
            distance = torch.sqrt(apart.real**2 + apart.imag**2 + 1e-8)
            phase = phase + (distance * steady).sum(1).mean()
        count = len(self.scales)
        return mel / count, level / count, phase / count


class MelLoss:
    """The log-mel distance alone, at the four resolutions that the figures are given for."""

    def __init__(self, device):
        self.loss = SpectralLoss(device, SpectralLoss.SCALES[:4])

    def __call__(self, made, wanted):
        return self.loss(made, wanted)[0]

"""Vosk's speaker model 0.4 (Kaldi nnet3, Apache-2.0) in torch, as a perceptual loss.

  python speaker_loss.py MODEL_FOLDER SPEAKER.npz     packs its weights
"""

import math
import os
import sys

import numpy as np
import torch

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from packing import pack_rows, unpack_rows

BANDS = 23
LAYERS = {"tdnn1": (-2, -1, 0, 1, 2), "tdnn2": (-2, 0, 2), "tdnn3": (-3, 0, 3), "tdnn4": (0,), "tdnn5": (0,)}


def features_bank():
    """Kaldi's 23 bands from 20 to 3700 Hz over the bins of an FFT of 256 at 8 kHz, pre-emphasis included, [129, 23]."""
    to_mel = lambda f: 1127 * np.log(1 + f / 700)
    edges, hertz = np.linspace(to_mel(20), to_mel(3700), BANDS + 2), np.arange(129) * 8000 / 256
    bins = to_mel(hertz)[:, None]
    bank = np.clip(np.minimum((bins - edges[:-2]) / (edges[1:-1] - edges[:-2]), (edges[2:] - bins) / (edges[2:] - edges[1:-1])), 0, None)
    emphasis = np.abs(1 - 0.97 * np.exp(-2j * np.pi * hertz / 8000)) ** 2
    return torch.tensor(bank * emphasis[:, None], dtype=torch.float32)


class SpeakerLoss:
    def __init__(self, path, device, rate=24_000):
        """`rate`: sample rate of the input, a multiple of the 8 kHz of the network."""
        stored = np.load(path)
        bits = int(stored["bits"]) if "bits" in stored else 8
        move = lambda x: torch.tensor(np.asarray(x), dtype=torch.float32, device=device)
        weights = lambda name: move(unpack_rows(stored[name].tobytes(), tuple(stored[name + ".shape"]), bits))
        self.layers = [(offsets, weights(name), *(move(stored[f"{name}.{part}"]) for part in ("bias", "scale", "shift"))) for name, offsets in LAYERS.items()]
        self.out = (weights("tdnn6"), move(stored["tdnn6.bias"]))
        self.transform, self.offset = weights("transform"), move(stored["offset"])
        self.bank = features_bank().to(device)
        n = torch.arange(BANDS, dtype=torch.float32)
        cosines = torch.cos(math.pi / BANDS * n[:, None] * (n + 0.5)) * math.sqrt(2 / BANDS)
        cosines[0] = math.sqrt(1 / BANDS)
        self.cosines = (cosines * (1 + 11 * torch.sin(math.pi * n / 22))[:, None]).T.contiguous().to(device)
        self.rate_factor = rate // 8000
        i = torch.arange(200 * self.rate_factor, dtype=torch.float32)
        self.window = ((0.5 - 0.5 * torch.cos(2 * math.pi * i / (len(i) - 1))) ** 0.85).to(device)

    def cepstra(self, wave):
        """[B, samples] -> [B, frames, 23]: a transform of 768 at 24 kHz has the bins of one of 256 at 8 kHz."""
        size, step, padded, power_factor = 200 * self.rate_factor, 80 * self.rate_factor, 256 * self.rate_factor, self.rate_factor**2
        frames = wave.unfold(1, size, step) * 32768
        frames = frames - frames.mean(-1, keepdim=True)
        whole = torch.fft.rfft(frames, padded)[..., :129]
        energy = torch.log((whole.real**2 + whole.imag**2).sum(-1) * (2 / 256 / power_factor) + 1.0)
        bins = torch.fft.rfft(frames * self.window, padded)[..., :129]
        bands = torch.log((bins.real**2 + bins.imag**2) @ self.bank / power_factor + 1.0)
        rest = (bands @ self.cosines)[..., 1:]
        return torch.cat([energy[..., None], rest], -1)

    def layers_of(self, x):
        activations = []
        for offsets, weights, bias, scale, shift in self.layers:
            at = torch.arange(x.shape[1], device=x.device)
            rows = torch.cat([x[:, (at + o).clamp(0, x.shape[1] - 1)] for o in offsets], -1)
            x = torch.relu(rows @ weights.T + bias) * scale + shift
            activations.append(x)
        return activations

    def vector(self, last, loud):
        total = loud.sum(1, keepdim=True).clamp(min=1)
        mean = (last * loud[..., None]).sum(1) / total
        variance = (last**2 * loud[..., None]).sum(1) / total - mean**2
        pooled = torch.cat([mean, torch.sqrt(variance.clamp(min=1e-5))], -1)
        return (pooled @ self.out[0].T + self.out[1]) @ self.transform.T + self.offset

    def __call__(self, generated, target):
        """-> (L1 distance of the activations of all layers, 1 - cosine of the x-vectors), in the frames in which the target is loud."""
        with torch.no_grad():
            target_cepstra = self.cepstra(target)
            loudness = target_cepstra[..., 0]
            loud = ((loudness > loudness.amax(1, keepdim=True) - 9) & (loudness > 12)).float()
            mean_cepstrum = target_cepstra.mean(1, keepdim=True)
            target_layers = self.layers_of(target_cepstra - mean_cepstrum)
            target_vector = self.vector(target_layers[-1], loud)
        generated_layers = self.layers_of(self.cepstra(generated) - mean_cepstrum)
        generated_vector = self.vector(generated_layers[-1], loud)
        count = loud.sum().clamp(min=1)
        layer_distance = sum(((a - b).abs().mean(-1) * loud).sum() / count for a, b in zip(generated_layers, target_layers)) / len(generated_layers)
        has_speech = (loud.sum(1) > 20).float()
        cosine = torch.nn.functional.cosine_similarity(generated_vector, target_vector, eps=1e-3)
        return layer_distance, ((1 - cosine) * has_speech).sum() / has_speech.sum().clamp(min=1)


def pack(folder, path, bits=8):
    from xvectors import Speaker

    speaker, arrays = Speaker(folder), {"bits": np.array(bits)}

    def put(name, weights):
        arrays[name] = np.frombuffer(pack_rows(np.ascontiguousarray(weights, np.float32), bits), np.uint8)
        arrays[name + ".shape"] = np.array(weights.shape)

    for name in LAYERS:
        put(name, speaker.affine[name][0])
        arrays[name + ".bias"], (arrays[name + ".scale"], arrays[name + ".shift"]) = speaker.affine[name][1], speaker.scale[name]
    put("tdnn6", speaker.affine["tdnn6"][0])
    arrays["tdnn6.bias"] = speaker.affine["tdnn6"][1]
    size = len(speaker.mean)
    put("transform", speaker.transform[:, :size])
    arrays["offset"] = -speaker.transform[:, :size] @ speaker.mean + (speaker.transform[:, -1] if speaker.transform.shape[1] > size else 0)
    np.savez(path, **{name: array.astype(np.float32) if array.dtype == np.float64 else array for name, array in arrays.items()})


if __name__ == "__main__":
    pack(*sys.argv[1:])

"""F0 of audio by autocorrelation: a value every 10 ms, 0 in unvoiced frames."""

import numpy as np

RATE, STEP, SIZE, LOW, HIGH = 24_000, 240, 1200, 24_000 // 500, 24_000 // 60
CANDIDATES = 6
# Praat's costs: octave jump, change between voiced and unvoiced, octave, voicing threshold.
OCTAVE_JUMP, VOICING_CHANGE, OCTAVE_COST, VOICING_THRESHOLD = 0.35, 0.14, 0.01, 0.45


def scores_of(wave):
    """Normalised autocorrelation [frames, HIGH] and energy [frames]."""
    padded = np.pad(wave, (SIZE // 2, SIZE // 2 + HIGH)).astype(np.float64)
    every = np.lib.stride_tricks.sliding_window_view(padded, SIZE + HIGH)[: max(0, len(wave) - STEP) : STEP]
    scores, energies = [], []
    for start in range(0, len(every), 400):
        frames = every[start : start + 400]
        energy = (frames[:, :SIZE] ** 2).sum(1)
        products = np.fft.irfft(np.conj(np.fft.rfft(frames[:, :SIZE], 2048)) * np.fft.rfft(frames, 2048))[:, :HIGH]
        squares = np.cumsum(np.pad(frames**2, ((0, 0), (1, 0))), 1)
        scores.append(products / np.sqrt(energy[:, None] * (squares[:, SIZE : SIZE + HIGH] - squares[:, :HIGH]) + 1e-12))
        energies.append(energy)
    return np.concatenate(scores), np.concatenate(energies)


def refined(score, rows, period):
    """Frequency at a peak, by a parabola through its neighbours."""
    period = period.clip(1, HIGH - 2)
    before, here, after = (score[rows, period + o] for o in (-1, 0, 1))
    bend = before - 2 * here + after
    shift = np.where(bend < 0, 0.5 * (before - after) / np.where(bend < 0, bend, 1), 0).clip(-0.5, 0.5)
    return RATE / (period + shift), here


def peaks_of(score):
    peak = np.zeros(score.shape, bool)
    peak[:, 1:-1] = (score[:, 1:-1] >= score[:, :-2]) & (score[:, 1:-1] >= score[:, 2:])
    peak[:, : LOW + 1] = False
    return peak


def frame_pitch(score, energy):
    """Each frame independently. Octave errors occur where neighbouring periods differ."""
    rows = np.arange(len(score))
    best = LOW + score[:, LOW:].argmax(1)
    # Multiples of the period score as well as the period: the shortest one is taken.
    good = peaks_of(score) & (score > 0.93 * score[rows, best][:, None])
    good[rows, best] = True
    hertz, strength = refined(score, rows, good.argmax(1))
    return np.where((strength > 0.6) & (energy >= SIZE * 1e-5), hertz, 0)


def tracked_pitch(score, energy):
    """The best path through the frames' candidates, as in Praat."""
    rows = np.arange(len(score))
    ranked = np.where(peaks_of(score), score - OCTAVE_COST * np.log2(np.arange(HIGH).clip(1) / LOW), -1)
    picked = np.argsort(-ranked, 1)[:, :CANDIDATES]
    hertz = np.stack([refined(score, rows, picked[:, k])[0] for k in range(CANDIDATES)], 1)
    strength = np.take_along_axis(ranked, picked, 1)
    strength[energy < SIZE * 1e-5] = -1
    tone = np.log2(np.concatenate([hertz, np.ones((len(hertz), 1))], 1))
    strength = np.concatenate([strength, np.full((len(hertz), 1), VOICING_THRESHOLD)], 1)
    total, back = strength[0], np.zeros(strength.shape, int)
    for t in range(1, len(rows)):
        cost = OCTAVE_JUMP * np.abs(tone[t - 1][:, None] - tone[t])
        cost[-1, :], cost[:, -1], cost[-1, -1] = VOICING_CHANGE, VOICING_CHANGE, 0
        paths = total[:, None] - cost
        back[t] = paths.argmax(0)
        total = paths.max(0) + strength[t]
    path = np.zeros(len(rows), int)
    path[-1] = total.argmax()
    for t in range(len(rows) - 1, 0, -1):
        path[t - 1] = back[t, path[t]]
    return np.where(path < CANDIDATES, hertz[rows, path.clip(max=CANDIDATES - 1)], 0)

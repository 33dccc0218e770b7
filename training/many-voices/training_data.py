"""The training data in device memory: Piper's speakers, people, Kokoro's stock voices."""

import gzip
import json
import os
import zlib

import numpy as np
import torch

import paths  # noqa: F401  adds the other folders to the import path
import pitch_energy
import student as st
from augmentation import with_microphone, with_other_formants
from sampling import Styles
from encoder import FEATURES, NETWORK, PITCH, XVECTOR
from speaker_features import CLIP_RATE, RATE as FEATURE_RATE, resampled, unit
from speaker_input import mean_input, means_without_one, with_unit_vectors
from people import CLIP_SAMPLES, RESAMPLING_RANGE, is_held_out
from piper import FRAMES, NOISE, RATE as PIPER_RATE, Graph

CHUNK = 132  # frames of 40 Hz in a chunk of Piper's speech
PIPER_HOP = 256
TEXT_WEIGHTS = {"fr-fr": 2.0}  # one voice only, and the highest word error rate
NATIVE_SHARE = 0.75  # of the stock chunks
MAX_HERTZ = 4000.0  # the bandwidth of recordings at every resampling factor


class Chunks:
    """Excerpts of speech of one length: inputs of the decoder, and for Piper's speakers and people its target audio."""

    def __init__(self, count, frames, device, with_audio):
        self.frames = frames
        self.asr = torch.zeros(count, frames, st.ASR, dtype=torch.float16, device=device)
        self.token = torch.zeros(count, frames, dtype=torch.int16, device=device)  # of Kokoro's alphabet
        self.pitch = torch.zeros(count, 2 * frames, device=device)
        self.energy = torch.zeros(count, 2 * frames, device=device)
        self.phase = torch.zeros(count, 2 * frames, device=device)
        self.summary = torch.zeros(count, st.SUMMARY, device=device)
        self.median = torch.zeros(count, device=device)  # log2 of Hz
        self.wave = torch.zeros(count, 600 * frames if with_audio else 0, dtype=torch.int16, device=device)

    def inputs(self, index, start, size, context, pitch_factor=None):
        """`size` frames of 80 Hz from `start` on, an even number, with context around: -> features, source's spectra, summary."""
        reach = context + st.OVERLAP
        wide = reach + st.OVERLAP
        rows = start[:, None] - wide + torch.arange(size + 2 * wide, device=start.device)
        inside = (rows >= 0) & (rows < 2 * self.frames)
        rows = rows.clamp(0, 2 * self.frames - 1)
        at = (index[:, None], rows)
        pitch = self.pitch[at] * inside
        phase, summary = self.phase[at], self.summary[index]
        if pitch_factor is not None:
            pitch, phase = pitch * pitch_factor[:, None], None
            # The last but one value of the summary is the mean of log(pitch / 200).
            summary = torch.cat([summary[:, :-2], summary[:, -2:-1] + torch.log(pitch_factor)[:, None], summary[:, -1:]], 1)
        if phase is None:
            phase = torch.cumsum(pitch.double() / (st.RATE / st.HOP), -1)
            phase = (phase - phase.floor()).float()
        frames = size + 2 * reach
        source = st.spectra(st.harmonic_source(pitch, phase), frames)
        cut = slice(st.OVERLAP, st.OVERLAP + frames)
        asr = self.asr[index[:, None], rows[:, cut] // 2].float()
        features = st.frame_features(asr, pitch[:, cut], (self.energy[at] * inside)[:, cut], inside[:, cut].float(), source)
        return features, source[:, context : context + size + 2 * st.OVERLAP], summary

    def update_derived(self, rows):
        """Updates what is derived from pitch, energy and text features."""
        for i in rows:
            self.summary[i] = st.summary(self.asr[i].float(), self.pitch[i], self.energy[i])
        phase = st.running_phase(self.pitch[rows])
        self.phase[rows] = (phase - phase.floor()).float()
        voiced = torch.where(self.pitch[rows] > 10, torch.log2(self.pitch[rows].clamp(min=10)), torch.nan)
        self.median[rows] = voiced.nanmedian(1).values.nan_to_num(7.3)


def stock_chunks(pack, encoder, count, device, random):
    """Texts of all languages, most of them by native stock voices, the others by any voice, mixes and perturbed styles.
    -> chunks, styles [count, 256], languages, which chunks are by native voices [count]"""
    texts = json.load(gzip.open(os.path.join(pack, "stock.json.gz")))
    weight = np.array([TEXT_WEIGHTS.get(text["language"], 1.0) for text in texts])
    styles, frames = Styles(os.path.join(pack, "voices.npz")), CHUNK
    chunks, styles_of, languages = Chunks(count, frames, device, False), torch.zeros(count, 256, device=device), []
    native, made = torch.zeros(count, dtype=torch.bool, device=device), 0
    while made < count:
        picks = [texts[i] for i in random.choice(len(texts), size=min(48, 2 * (count - made)), p=weight / weight.sum())]
        is_native = random.random(len(picks)) < NATIVE_SHARE
        style = np.stack([(styles.native if by else styles.draw)(random, text["language"], len(text["ids"])) for by, text in zip(is_native, picks)])
        ids = np.zeros((len(picks), max(len(t["ids"]) for t in picks) + 2), np.int64)
        for row, text in zip(ids, picks):
            row[1 : 1 + len(text["ids"])] = text["ids"]
        lengths = torch.tensor([len(t["ids"]) + 2 for t in picks])
        encoded = encoder(torch.tensor(ids, device=device), lengths, torch.tensor(style, device=device))
        rows = []
        for i, text in enumerate(picks):
            total = int(encoded["frames"][i])
            if made == count or total < frames + 8:
                continue
            # At a random position, after the leading silence.
            first = int(random.integers(6, total - frames + 1))
            index = encoded["index"][i, first : first + frames]
            chunks.asr[made] = encoded["text_features"][i, index].half()
            chunks.token[made] = torch.tensor(ids[i], dtype=torch.int16, device=device)[index]
            chunks.pitch[made] = encoded["pitch"][i, 2 * first : 2 * (first + frames)]
            chunks.energy[made] = encoded["energy"][i, 2 * first : 2 * (first + frames)]
            styles_of[made] = torch.tensor(style[i])
            languages.append(text["language"])
            native[made] = bool(is_native[i])
            rows.append(made)
            made += 1
        if rows:
            chunks.update_derived(torch.tensor(rows, device=device))
    return chunks, styles_of, languages, native


class PiperSpeech:
    def __init__(self, pack, encoder, device):
        self.device = device
        self.graph = Graph(os.path.join(pack, "piper.onnx"), device)
        self.speakers = torch.tensor(np.load(os.path.join(pack, "speakers.npy")).astype(np.float32), device=device)
        self.mask = torch.ones(1, 1, FRAMES, device=device)
        stored, alignment = np.load(os.path.join(pack, "texts.npz")), json.load(open(os.path.join(pack, "alignment.json")))
        self.takes = []
        for i, item in enumerate(alignment):
            mean, deviation = (torch.tensor(stored[f"{name}{i}"] * stored[f"{name}{i}.scale"], device=device) for name in ("mean", "deviation"))
            deviation = deviation.exp()
            ids = torch.tensor(item["ids"], device=device)[None]
            with torch.no_grad():
                text_features = encoder.text_features(ids, torch.ones_like(ids, dtype=torch.bool), torch.tensor([ids.shape[1]]))[0]
            kokoro_token = torch.tensor(item["of"], device=device)
            for frames in stored[f"frames{i}"]:
                token = torch.tensor(np.repeat(np.arange(len(frames)), frames), device=device)
                if len(token) >= FRAMES:
                    self.takes.append((mean, deviation, token, text_features, ids[0].to(torch.int16), kokoro_token))

    @torch.no_grad()
    def synthesize(self, voices, random, shift):
        """-> audio of 24 kHz [B, 600 CHUNK], text features [B, CHUNK, 512], tokens [B, CHUNK]; text features are `shift` frames of 40 Hz later than Piper's."""
        priors, features, tokens = [], [], []
        for _ in range(len(voices)):
            mean, deviation, token, text_features, ids, kokoro_token = self.takes[random.integers(len(self.takes))]
            start = int(random.integers(len(token) - FRAMES + 1))
            at = token[start : start + FRAMES]
            noise = torch.randn(192, FRAMES, device=self.device)
            priors.append(mean[:, at] + NOISE * deviation[:, at] * noise)
            middle = (torch.arange(CHUNK, device=self.device) + 0.5 - shift) / 40
            frame = (start + (middle * (PIPER_RATE / PIPER_HOP)).floor().long()).clamp(0, len(token) - 1)
            features.append(text_features[kokoro_token[token[frame]]])
            tokens.append(ids[kokoro_token[token[frame]]])
        inputs = {"/Add_output_0": torch.stack(priors), "/Cast_2_output_0": self.mask, "/emb_g/Gather_output_0": voices}
        with torch.autocast("cuda", torch.bfloat16, enabled=self.device == "cuda"):
            wave = self.graph(inputs, "output").reshape(len(voices), -1)
        return resampled(wave.float(), st.RATE / PIPER_RATE)[:, : 600 * CHUNK], torch.stack(features), torch.stack(tokens)


def fill(chunks, rows, wave, text_features_of, energy, level, voicing_threshold):
    """Writes speech into some rows, normalized to `level`: `text_features_of` and `energy` are computed from the normalized audio."""
    wave = wave * (level / wave.square().mean(1, keepdim=True).sqrt().clamp(min=1e-4))
    wave = wave / wave.abs().amax(1, keepdim=True).clamp(min=0.98) * 0.98
    chunks.wave[rows] = (wave * 32767).round().to(torch.int16)
    chunks.asr[rows] = text_features_of(wave).half()
    chunks.pitch[rows] = pitch_energy.pitch_track(wave, voicing_threshold)[0]
    chunks.energy[rows] = energy(wave)
    chunks.update_derived(rows)


def piper_chunks(speech, energy, level, excerpts, device, random, shift, speakers, voicing_threshold):
    """`excerpts` chunks of each of `speakers` (rows of Piper's table); chunk i is of speaker i // excerpts. `level`: their RMS level."""
    count = excerpts * len(speakers)
    chunks = Chunks(count, CHUNK, device, True)
    for start in range(0, count, 64):
        rows = torch.arange(start, min(start + 64, count), device=device)
        wave, text_features, chunks.token[rows] = speech.synthesize(speech.speakers[speakers[rows // excerpts]], random, shift)
        fill(chunks, rows, wave, lambda _: text_features, energy, level, voicing_threshold)
    return chunks


def clips_of(pack, device):
    """The clips of each person, by name."""
    stored = np.load(os.path.join(pack, "clips.npz"))
    sound, starts, found = stored["sound"].astype(np.float32) / 127, stored["starts"], {}
    sound = np.sign(sound) * np.expm1(np.abs(sound) * np.log(256)) / 255
    for name, start, end in zip(stored["names"], starts, starts[1:]):
        clip = sound[start:end]
        clip = np.tile(clip, -(-CLIP_SAMPLES // len(clip)))[:CLIP_SAMPLES].astype(np.float32)
        found.setdefault(str(name).rsplit("-", 1)[0], []).append(torch.tensor(clip, device=device))
    return found


def is_held_out_speaker(name):
    """Whether a speaker is for evaluation only."""
    return name.startswith("readers/") or is_held_out(name)


@torch.no_grad()
def people_chunks(pack, token_loss, energy, level, factors, microphones, device, voicing_threshold):
    """Recordings of people and their variants, with estimated text features; -> chunks, and for each the row of People."""
    size, waves, people_rows, index = 600 * CHUNK, [], [], 0
    for name, clips in clips_of(pack, device).items():
        if is_held_out_speaker(name):
            continue
        for factor, variant in variants_of(name, clips, factors):
            plain = resampled(variant, st.RATE / CLIP_RATE / factor)
            waves += [plain[:, :size], plain[:, -size:]]
            people_rows += [index] * (2 * len(clips))
            index += microphones
    waves = torch.cat(waves)
    chunks = Chunks(len(waves), CHUNK, device, True)
    for rows in torch.arange(len(waves), device=device).split(64):
        fill(chunks, rows, waves[rows], lambda wave: token_loss.features(wave, MAX_HERTZ), energy, level, voicing_threshold)
    return chunks, torch.tensor(people_rows, device=device)


def resampling_factors(count):
    return np.exp(np.linspace(*np.log(RESAMPLING_RANGE), count))


def variants_of(name, clips, count):
    """Speakers made of the clips of one: `count` resampling factors, with the speaker's formants and then with others. -> factors, clips"""
    plain, generator = torch.stack(clips), torch.Generator().manual_seed(zlib.crc32(name.encode()))
    for factor in resampling_factors(count):
        yield factor, plain
    for factor in resampling_factors(count):
        yield factor, with_other_formants(plain, generator)


class People:
    """Features of real people, each in several variants and with several microphone responses: encoder inputs from single clips (`given`)
    and from several (`means`), and targets (`reference`). `other_formants`: which rows are variants with other formants."""

    def __init__(self, pack, speaker_input, device, factors, microphones=3):
        found = clips_of(pack, device)
        self.held_out = {name: evaluation_features(speaker_input, clips) for name, clips in found.items() if is_held_out_speaker(name)}
        #: Recordings for the second speaker network.
        self.recordings = {name: evaluation_recordings(clips) for name, clips in found.items() if is_held_out_speaker(name)}
        given, means, reference = [], [], []
        for name, clips in found.items():
            if is_held_out_speaker(name):
                continue
            variants = [resampled(variant, FEATURE_RATE / CLIP_RATE / factor) for factor, variant in variants_of(name, clips, factors)]
            samples = min(waves.shape[1] for waves in variants)
            plain = torch.stack([waves[:, :samples] for waves in variants])
            # One response for all clips of a variant, as in one recording.
            recordings = [with_microphone(plain.flatten(1)).view_as(plain) if microphone else plain for microphone in range(microphones)]
            recordings = torch.stack(recordings, 1).flatten(0, 1)
            waves, shape = recordings.flatten(0, 1), recordings.shape[:2]
            features = [speaker_input(waves, augment).unflatten(0, shape) for augment in (False, True, True)]
            for i in range(shape[0]):
                clean, *noisy = [part[i] for part in features]
                rows = torch.cat([clean, *noisy])
                # Each speaker has the same number of rows, so some are repeated.
                given.append(rows[torch.arange(9, device=device) % len(rows)])
                without_one = torch.cat([means_without_one(part) for part in (clean, noisy[0])])
                means.append(without_one[torch.arange(6, device=device) % len(without_one)])
                reference.append(mean_input(clean))
        self.given, self.means, self.reference = torch.stack(given), torch.stack(means), torch.stack(reference)
        self.other_formants = torch.arange(len(given), device=device) // microphones % (2 * factors) >= factors


#: The vectors of training people by the speaker network, which was trained on them, vary less than those of others.
NETWORK_NOISE = 1.5


class SpeakerSampler:
    """Samples random speakers: encoder inputs and further vectors from their normal distribution in a group."""

    def __init__(self, groups, given, reference):
        """`groups`: rows of encoder inputs and further vectors; `given` [n, m, FEATURES] and `reference` [n, FEATURES]: the difference between recordings and speaker."""
        complete = lambda rows: rows[~rows.isnan().any(1)]
        groups = [complete(group) for group in groups]
        self.means = [group.mean(0) for group in groups]
        self.covariance_roots = [(group - group.mean(0)) / len(group) ** 0.5 for group in groups]
        self.variances = [root[:, XVECTOR].square().sum(0).mean() for root in self.covariance_roots]
        deviations = complete((given - reference[:, None]).flatten(0, 1))
        self.deviations = deviations / len(deviations) ** 0.5

    def draw(self, spread, *shape):
        """-> encoder inputs and references, [*shape, FEATURES], further vectors [*shape, …].

        Up to `spread` of the variance of x-vectors is the same in all directions: 141 people vary little in most of them, and others do there.
        """
        device, candidates = self.means[0].device, []
        share = spread * torch.rand(*shape, 1, device=device)
        for mean, root, variance in zip(self.means, self.covariance_roots, self.variances):
            drawn = mean + (1 - share).sqrt() * (torch.randn(*shape, len(root), device=device) @ root)
            drawn[..., XVECTOR] += (share * variance).sqrt() * torch.randn(*shape, 128, device=device)
            candidates.append(drawn)
        pick = torch.randint(len(candidates), (*shape, 1), device=device)
        reference = sum(torch.where(pick == i, candidate, torch.zeros_like(candidate)) for i, candidate in enumerate(candidates))
        further = reference[..., FEATURES:]
        reference = with_unit_vectors(reference[..., :FEATURES])
        reference[..., PITCH].clamp_(6.1, 8.5)
        given = reference.clone()
        given[..., PITCH] += 0.03 * torch.randn(*shape, device=device)
        return self.perturbed(given, 1.5 * torch.rand(*shape, 1, device=device)), reference, further

    def perturbed(self, features, amount):
        """Adds the difference between clips of a speaker, times `amount`, to both vectors."""
        noise = torch.randn(*features.shape[:-1], len(self.deviations), device=features.device) @ self.deviations
        noise[..., PITCH] = 0
        noise[..., NETWORK] *= NETWORK_NOISE
        return with_unit_vectors(features + amount * noise)


def reference_count(clips):
    return max(1, 3 if len(clips) > 4 else len(clips) // 2)


def evaluation_features(speaker_input, clips):
    """The encoder input from the first clips of a speaker, and the x-vector of the others."""
    half = reference_count(clips)
    waves = resampled(torch.stack(clips), FEATURE_RATE / CLIP_RATE)
    features = speaker_input(waves)
    return mean_input(features[:half]), unit(features[half:, XVECTOR].sum(0))


def evaluation_recordings(clips):
    """The clips that are not part of the encoder input."""
    return resampled(torch.stack(clips[reference_count(clips) :]), FEATURE_RATE / CLIP_RATE)

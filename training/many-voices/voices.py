"""Where the training's voices come from: Piper's speakers, people, Kokoro's stock voices. All of it on the device."""

import gzip
import json
import os

import numpy as np
import torch

import measure  # which also finds what stands beside this folder
import student as st
from degrade import degraded, through_microphone
from draw import Styles
from encoder_teacher import Teacher
from listener import CLIP_RATE, RATE as LISTENED, median_pitch, resampled, unit
from persons import CLIP, WARPS, is_held
from piper import FRAMES, NOISE, RATE as PIPER_RATE, Graph

CHUNK = 132  # frames of 40 Hz in a chunk of Piper's speech
PIPER_HOP = 256
TEXT_WEIGHTS = {"fr-fr": 2.0}  # one voice only, and the hardest to understand
HIGHEST = 4000.0  # Hz: recordings have sound up to here at every tape speed


class Chunks:
    """Stretches of speech of one length: what the decoder is given, and for Piper's speakers what it should say."""

    def __init__(self, count, frames, device, sounding):
        self.frames = frames
        self.asr = torch.zeros(count, frames, st.ASR, dtype=torch.float16, device=device)
        self.token = torch.zeros(count, frames, dtype=torch.int16, device=device)  # of Kokoro's alphabet
        self.pitch = torch.zeros(count, 2 * frames, device=device)
        self.energy = torch.zeros(count, 2 * frames, device=device)
        self.phase = torch.zeros(count, 2 * frames, device=device)
        self.summary = torch.zeros(count, st.SUMMARY, device=device)
        self.median = torch.zeros(count, device=device)  # log2 of Hz
        self.wave = torch.zeros(count, 600 * frames if sounding else 0, dtype=torch.int16, device=device)

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
            # The summary's third number from behind is the mean of log(pitch / 200).
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

    def finish(self, rows):
        """Fills in what follows from pitch, energy and sounds."""
        for i in rows:
            self.summary[i] = st.summary(self.asr[i].float(), self.pitch[i], self.energy[i])
        phase = st.running_phase(self.pitch[rows])
        self.phase[rows] = (phase - phase.floor()).float()
        voiced = torch.where(self.pitch[rows] > 10, torch.log2(self.pitch[rows].clamp(min=10)), torch.nan)
        self.median[rows] = voiced.nanmedian(1).values.nan_to_num(7.3)


def stock_chunks(pack, encoder, count, device, random):
    """Texts of all languages. Half of them by native stock voices, the others by any voice, mixes and perturbed styles.
    -> chunks, styles [count, 256], languages, which chunks are by native voices [count]"""
    texts = json.load(gzip.open(os.path.join(pack, "stock.json.gz")))
    weight = np.array([TEXT_WEIGHTS.get(text["language"], 1.0) for text in texts])
    styles, frames = Styles(os.path.join(pack, "voices.npz")), CHUNK
    chunks, drawn, languages = Chunks(count, frames, device, False), torch.zeros(count, 256, device=device), []
    native, made = torch.zeros(count, dtype=torch.bool, device=device), 0
    while made < count:
        picks = [texts[i] for i in random.choice(len(texts), size=min(48, 2 * (count - made)), p=weight / weight.sum())]
        own = random.random(len(picks)) < 0.5
        style = np.stack([(styles.native if by else styles.draw)(random, text["language"], len(text["ids"])) for by, text in zip(own, picks)])
        ids = np.zeros((len(picks), max(len(t["ids"]) for t in picks) + 2), np.int64)
        for row, text in zip(ids, picks):
            row[1 : 1 + len(text["ids"])] = text["ids"]
        lengths = torch.tensor([len(t["ids"]) + 2 for t in picks])
        said = encoder(torch.tensor(ids, device=device), lengths, torch.tensor(style, device=device))
        rows = []
        for i, text in enumerate(picks):
            total = int(said["frames"][i])
            if made == count or total < frames + 8:
                continue
            # Somewhere in the text, without its first silence.
            first = int(random.integers(6, total - frames + 1))
            index = said["index"][i, first : first + frames]
            chunks.asr[made] = said["sounds"][i, index].half()
            chunks.token[made] = torch.tensor(ids[i], dtype=torch.int16, device=device)[index]
            chunks.pitch[made] = said["pitch"][i, 2 * first : 2 * (first + frames)]
            chunks.energy[made] = said["energy"][i, 2 * first : 2 * (first + frames)]
            drawn[made] = torch.tensor(style[i])
            languages.append(text["language"])
            native[made] = bool(own[i])
            rows.append(made)
            made += 1
        if rows:
            chunks.finish(torch.tensor(rows, device=device))
    return chunks, drawn, languages, native


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
                sounds = encoder.sounds(ids, torch.ones_like(ids, dtype=torch.bool), torch.tensor([ids.shape[1]]))[0]
            of = torch.tensor(item["of"], device=device)
            for frames in stored[f"frames{i}"]:
                token = torch.tensor(np.repeat(np.arange(len(frames)), frames), device=device)
                if len(token) >= FRAMES:
                    self.takes.append((mean, deviation, token, sounds, ids[0].to(torch.int16), of))

    @torch.no_grad()
    def say(self, voices, random, shift):
        """-> audio of 24 kHz [B, 600 CHUNK], sounds [B, CHUNK, 512], tokens [B, CHUNK]; sounds come `shift` frames of 40 Hz later than Piper's."""
        priors, sounds, tokens = [], [], []
        for _ in range(len(voices)):
            mean, deviation, token, known, ids, of = self.takes[random.integers(len(self.takes))]
            start = int(random.integers(len(token) - FRAMES + 1))
            at = token[start : start + FRAMES]
            noise = torch.randn(192, FRAMES, device=self.device)
            priors.append(mean[:, at] + NOISE * deviation[:, at] * noise)
            middle = (torch.arange(CHUNK, device=self.device) + 0.5 - shift) / 40
            frame = (start + (middle * (PIPER_RATE / PIPER_HOP)).floor().long()).clamp(0, len(token) - 1)
            sounds.append(known[of[token[frame]]])
            tokens.append(ids[of[token[frame]]])
        inputs = {"/Add_output_0": torch.stack(priors), "/Cast_2_output_0": self.mask, "/emb_g/Gather_output_0": voices}
        with torch.autocast("cuda", torch.bfloat16, enabled=self.device == "cuda"):
            wave = self.graph(inputs, "output").reshape(len(voices), -1)
        return resampled(wave.float(), st.RATE / PIPER_RATE)[:, : 600 * CHUNK], torch.stack(sounds), torch.stack(tokens)


def fill(chunks, rows, wave, sounds_of, energy, level, least):
    """Puts speech into some rows, as loud as `level`: `sounds_of` and `energy` are asked for what that loud speech has."""
    wave = wave * (level / wave.square().mean(1, keepdim=True).sqrt().clamp(min=1e-4))
    wave = wave / wave.abs().amax(1, keepdim=True).clamp(min=0.98) * 0.98
    chunks.wave[rows] = (wave * 32767).round().to(torch.int16)
    chunks.asr[rows] = sounds_of(wave).half()
    chunks.pitch[rows] = measure.pitch_track(wave, least)[0]
    chunks.energy[rows] = energy(wave)
    chunks.finish(rows)


def piper_chunks(speech, energy, level, each, device, random, shift, speakers, least):
    """`each` chunks of every one of `speakers` (rows of Piper's table); chunk i is of speaker i // each. `level`: their loudness."""
    count = each * len(speakers)
    chunks = Chunks(count, CHUNK, device, True)
    for start in range(0, count, 64):
        rows = torch.arange(start, min(start + 64, count), device=device)
        wave, sounds, chunks.token[rows] = speech.say(speech.speakers[speakers[rows // each]], random, shift)
        fill(chunks, rows, wave, lambda _: sounds, energy, level, least)
    return chunks


@torch.no_grad()
def heard_of(listener, waves, worse):
    """[B, samples at 8 kHz] -> x-vectors and median pitches (log2 of Hz, NaN where unknown)."""
    if worse:
        waves = torch.where(torch.rand(len(waves), 1, device=waves.device) < 0.7, degraded(waves), waves)
    return listener(waves), median_pitch(waves)


def clips_of(pack, device):
    """The clips of each person, by name."""
    stored = np.load(os.path.join(pack, "clips.npz"))
    sound, starts, found = stored["sound"].astype(np.float32) / 127, stored["starts"], {}
    sound = np.sign(sound) * np.expm1(np.abs(sound) * np.log(256)) / 255
    for name, start, end in zip(stored["names"], starts, starts[1:]):
        clip = sound[start:end]
        clip = np.tile(clip, -(-CLIP // len(clip)))[:CLIP].astype(np.float32)
        found.setdefault(str(name).rsplit("-", 1)[0], []).append(torch.tensor(clip, device=device))
    return found


def held(name):
    """Whether somebody is for evaluation only."""
    return name.startswith("readers/") or is_held(name)


@torch.no_grad()
def people_chunks(pack, words, energy, level, warps, microphones, device, least):
    """Recordings of people at several tape speeds, with the sounds that are heard in them; -> chunks, and for each the row of People."""
    size, waves, of, index = 600 * CHUNK, [], [], 0
    for name, clips in clips_of(pack, device).items():
        if held(name):
            continue
        for warp in speeds(warps):
            plain = resampled(torch.stack(clips), st.RATE / CLIP_RATE / warp)
            waves += [plain[:, :size], plain[:, -size:]]
            of += [index] * (2 * len(clips))
            index += microphones
    waves = torch.cat(waves)
    chunks = Chunks(len(waves), CHUNK, device, True)
    for rows in torch.arange(len(waves), device=device).split(64):
        fill(chunks, rows, waves[rows], lambda wave: words.heard(wave, HIGHEST), energy, level, least)
    return chunks, torch.tensor(of, device=device)


def speeds(count):
    return np.exp(np.linspace(*np.log(WARPS), count))


class People:
    """Real people, each at several tape speeds and through several microphones: what is heard of them, and who they are."""

    def __init__(self, pack, listener, device, warps, microphones=3):
        found = clips_of(pack, device)
        self.held = {name: judged(listener, clips) for name, clips in found.items() if held(name)}
        #: What the judges compare with, for evaluation.
        self.shown = {name: judged_waves(clips) for name, clips in found.items() if held(name)}
        given, true = [], []
        for name, clips in found.items():
            if held(name):
                continue
            for warp in speeds(warps):
                plain = resampled(torch.stack(clips), LISTENED / CLIP_RATE / warp)
                for microphone in range(microphones):
                    # One microphone for all clips: as one recording.
                    waves = through_microphone(plain.reshape(1, -1)).view_as(plain) if microphone else plain
                    vectors, pitch = heard_of(listener, waves, False)
                    heard = [(vectors, pitch), heard_of(listener, waves, True), heard_of(listener, waves, True)]
                    rows = torch.cat([torch.cat([v, p[:, None]], 1) for v, p in heard])
                    # Everybody has the same number of rows: some are there twice.
                    given.append(rows[torch.arange(9, device=device) % len(rows)])
                    true.append(torch.cat([unit(vectors.sum(0)), pitch.nanmedian()[None]]))
        self.given, self.true = torch.stack(given), torch.stack(true)


class Crowd:
    """Anybody: x-vector and pitch drawn as those of a group are spread."""

    def __init__(self, groups, given, true):
        """`groups`: rows of x-vector and pitch; `given` [n, m, 129] and `true` [n, 129]: how recordings differ from the speaker."""
        known = lambda rows: rows[~rows.isnan().any(1)]
        groups = [known(group) for group in groups]
        self.means = [group.mean(0) for group in groups]
        self.spreads = [(group - group.mean(0)) / len(group) ** 0.5 for group in groups]
        takes = known((given - true[:, None]).flatten(0, 1))
        self.takes = takes / len(takes) ** 0.5

    def draw(self, *shape):
        """-> what is given and what is true, [*shape, 129]."""
        device, each = self.means[0].device, []
        normal = lambda table: torch.randn(*shape, len(table), device=device) @ table
        for mean, spread in zip(self.means, self.spreads):
            each.append(mean + normal(spread))
        pick = torch.randint(len(each), (*shape, 1), device=device)
        true = sum(torch.where(pick == i, drawn, torch.zeros_like(drawn)) for i, drawn in enumerate(each))
        pitch = true[..., 128:].clamp(6.1, 8.5)
        direction = unit(true[..., :128])
        beside = unit(direction + 1.5 * torch.rand(*shape, 1, device=device) * normal(self.takes)[..., :128])
        return torch.cat([beside, pitch + 0.03 * torch.randn_like(pitch)], -1), torch.cat([direction, pitch], -1)


def given_count(clips):
    return max(1, 3 if len(clips) > 4 else len(clips) // 2)


def judged(listener, clips):
    """What is given of somebody, and who it is by the other clips."""
    half = given_count(clips)
    waves = resampled(torch.stack(clips), LISTENED / CLIP_RATE)
    vectors, pitch = heard_of(listener, waves, False)
    return torch.cat([unit(vectors[:half].sum(0)), pitch[:half].nanmedian()[None]]), unit(vectors[half:].sum(0))


def judged_waves(clips):
    """The other clips themselves."""
    return resampled(torch.stack(clips[given_count(clips) :]), LISTENED / CLIP_RATE)

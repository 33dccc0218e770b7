"""Trains the student to speak with many voices, and an encoder from what is heard of a speaker to the student's style.

  python train.py PACK_FOLDER STUDENT.pt WORK_FOLDER SECONDS [--resume]

Four kinds of speech in each step:
  Piper's speakers: the encoder is given one stretch of speech, the student says another as Piper did;
  people: the same with their recordings, whose phonemes are estimated (sounds.py);
  stock voices: the student says what it said before, so that they stay as they are;
  other texts by people: the student speaks with the encoder's style, and is compared by x-vector and by what was to be said.
Writes student.pt, encoder.pt (averaged weights) and checkpoint.pt into WORK_FOLDER.
"""

import argparse
import math
import os
import time

import numpy as np
import torch
import torch.nn as nn

import measure  # which also finds what stands beside this folder
import student as st
from discriminators import MultiPeriod, MultiResolution, discriminator_losses, generator_losses
from encoder import LANGUAGES, LanguageOffsets, VoiceEncoder, language_index
from encoder_teacher import Teacher
from hearing import Hearing
from listener import Listener, RATE as LISTENED, resampled
from losses import MelLoss, SpectralLoss
from record_step import recorded, set_rate
from training_state import load_state, save_state
from likeness import Likeness
from sounds import learn
from voices import CHUNK, HIGHEST, Crowd, People, PiperSpeech, heard_of, people_chunks, piper_chunks, stock_chunks
from waves import waves_of

CROP, LONG = 120, 240  # frames of 80 Hz
OF_PIPER, OF_REAL, OF_STOCK, OF_PEOPLE, JUDGED = 16, 12, 12, 24, 12
DRAWN = 25
HELD = 20  # every so many of Piper's speakers is for evaluation
WEIGHTS = {"mel": 30.0, "level": 5.0, "phase": 4.0, "heard": 10.0, "voice": 10.0}


def options_of():
    parse = argparse.ArgumentParser()
    parse.add_argument("pack")
    parse.add_argument("start")
    parse.add_argument("work")
    parse.add_argument("seconds", type=float)
    parse.add_argument("--whole", type=float, help="seconds of the learning rate's fall, if that goes on in another run")
    parse.add_argument("--before", type=float, default=0, help="seconds of it that are past")
    parse.add_argument("--rate", type=float, default=3e-4)
    parse.add_argument("--encoder-rate", type=float, default=1e-3)
    parse.add_argument("--critic-rate", type=float, default=3e-4)
    parse.add_argument("--people", type=float, default=20.0, help="how much it costs to be unlike a person")
    parse.add_argument("--anchor", type=float, default=0.1)
    parse.add_argument("--size", type=float, default=0.05)
    parse.add_argument("--words", type=float, default=5.0, help="how much it costs to be misunderstood")
    parse.add_argument("--real", type=float, default=0.5, help="weight of the recordings of people")
    parse.add_argument("--warm", type=int, default=1500, help="steps without critics")
    parse.add_argument("--ramp", type=int, default=500)
    parse.add_argument("--keep", type=float, default=0.999)
    parse.add_argument("--stock", type=int, default=6000)
    parse.add_argument("--each", type=int, default=12)
    parse.add_argument("--speakers", type=int, default=904)
    parse.add_argument("--warps", type=int, default=7)
    parse.add_argument("--hearing", type=int, default=6000, help="steps of learning to hear sounds")
    parse.add_argument("--microphones", type=int, default=3)
    parse.add_argument("--dropout", type=float, default=0.15)
    parse.add_argument("--from", dest="earlier", help="folder with student.pt and encoder.pt of an earlier training")
    parse.add_argument("--judge", help="the second judge's weights, for evaluation")
    parse.add_argument("--resume", action="store_true")
    parse.add_argument("--eager", action="store_true")
    return parse.parse_args()


def directed(heard):
    """X-vectors of length 1, and the pitch as it is."""
    return torch.cat([nn.functional.normalize(heard[..., :128], dim=-1), heard[..., 128:]], -1)


class Training:
    def __init__(self, options, device):
        self.options, self.device, self.step = options, device, 0
        clock = time.time()

        def told(text):
            print(f"  {time.time() - clock:.0f} s: {text}", flush=True)

        random = self.random = np.random.default_rng(1)
        self.listener = Listener(os.path.join(options.pack, "speaker.npz"), device)
        self.hearing = Hearing(os.path.join(options.pack, "speaker.npz"), device)
        self.old = st.load(options.start, device).eval().requires_grad_(False)
        begin = os.path.join(options.earlier, "student.pt") if options.earlier else options.start
        self.model, self.average = st.load(begin, device), st.load(begin, device).eval()
        reader = Teacher(os.path.join(options.pack, "encoder.npz"), device)
        self.stock, self.styles, self.languages, self.native = stock_chunks(options.pack, reader, options.stock, device, random)
        self.language = torch.tensor([language_index(name) for name in self.languages], device=device)
        told(f"{options.stock} stock chunks")
        zero = lambda count: torch.zeros(count, dtype=torch.long, device=device)
        heard, parts = [], []
        with torch.no_grad():
            for at in range(0, options.stock, 64):
                rows = torch.arange(at, min(at + 64, options.stock), device=device)
                wave = waves_of(self.old, self.stock, rows, zero(len(rows)), 2 * CHUNK, self.styles[rows, : st.STYLE])
                vector, pitch = heard_of(self.listener, resampled(wave, LISTENED / st.RATE), False)
                heard.append(torch.cat([vector, pitch[:, None]], 1))
                parts.append((wave.clamp(-1, 1) * 32767).round().to(torch.int16))
        self.stock_heard, sound = torch.cat(heard), torch.cat(parts)
        waves = sound[:256].float() / 32767
        energy, count = measure.Energy(device), len(waves)
        self.level = waves.square().mean().sqrt().item()
        self.line = self.energy_line(energy(waves), self.stock.energy[:count])
        wanted, alike = self.stock.pitch[:count], {}
        for least in (0.1, 0.2, 0.3, 0.4, 0.5, 0.6):
            alike[least] = ((measure.pitch_track(waves, least)[0] > 10) == (wanted > 10)).float().mean().item()
        self.least = max(alike, key=alike.get)
        pitch = measure.pitch_track(waves, self.least)[0]
        both = (pitch > 10) & (wanted > 10)
        told(f"level {self.level:.4f}; voiced {(wanted > 10).float().mean():.3f}, alike {alike}, pitch off by {(torch.log2(pitch[both]) - torch.log2(wanted[both])).abs().median():.4f} octaves")
        fitted = lambda wave: self.line[0] * energy(wave) + self.line[1]
        speech = PiperSpeech(options.pack, reader, device)
        shift = self.best_shift(speech, fitted, random)
        told(f"{len(speech.takes)} takes, sounds {shift} frames later")
        rows = torch.randperm(len(speech.speakers), generator=torch.Generator().manual_seed(3))[: options.speakers].to(device)
        self.each, self.rows = options.each, rows
        self.piper = piper_chunks(speech, fitted, self.level, options.each, device, random, shift, rows, self.least)
        told(f"{len(self.piper.wave)} chunks of Piper")
        of = torch.arange(len(self.piper.wave), device=device) // self.each
        learned = of % HELD > 0
        # Other voices lose sounds of a language, such as the French "r": they are no example.
        plain = self.native | (self.language == 0)
        self.kept, self.natives = plain.nonzero()[:, 0], self.native.nonzero()[:, 0]
        self.words = learn([(self.piper.wave[learned], self.piper.asr[learned], self.piper.token[learned]), (sound[plain], self.stock.asr[plain], self.stock.token[plain])], device, options.hearing)
        by_language = {name: self.words(sound[rows].float() / 32767, self.stock.token[rows]).mean().item() for name, rows in self.samples(self.native).items()}
        by_others = {name: self.words(sound[rows].float() / 32767, self.stock.token[rows]).mean().item() for name, rows in self.samples(~self.native).items()}
        told(f"stock voices, native: { {k: round(v, 3) for k, v in by_language.items()} }, other voices and mixes: { {k: round(v, 3) for k, v in by_others.items()} }")
        apart = (~learned).nonzero()[:64, 0]
        misheard = [self.words(self.piper.wave[apart].float() / 32767, self.piper.token[apart], highest).mean().item() for highest in (8000.0, HIGHEST)]
        estimated, true = self.words.heard(self.piper.wave[apart].float() / 32767, HIGHEST), self.piper.asr[apart].float()
        share = 1 - (estimated - true).square().mean() / true.var()
        told(f"sounds are heard, off by {misheard[0]:.3f} for held-out speakers ({misheard[1]:.3f} up to {HIGHEST} Hz, which explains {share:.3f} of the features), {self.words(waves, self.stock.token[:256]).mean():.3f} for stock voices")
        clean, worse = [], []
        for at in range(0, len(self.piper.wave), 128):
            wave = resampled(self.piper.wave[at : at + 128].float() / 32767, LISTENED / st.RATE)
            for kept, bad in ((clean, False), (worse, True)):
                vector, pitch = heard_of(self.listener, wave, bad)
                kept.append(torch.cat([vector, pitch[:, None]], 1))
        self.piper_heard = torch.stack([torch.cat(clean), torch.cat(worse)])
        # So that the student takes estimated sounds, as those of people are, for the same as true ones.
        for part in torch.arange(0, len(self.piper.wave), 3, device=device).split(128):
            self.piper.asr[part] = self.words.heard(self.piper.wave[part].float() / 32767, HIGHEST).half()
            self.piper.finish(part)
        self.real, self.real_of = people_chunks(options.pack, self.words, fitted, self.level, options.warps, options.microphones, device, self.least)
        told(f"{len(self.real.wave)} chunks of people")
        self.people = People(options.pack, self.listener, device, options.warps, options.microphones)
        told(f"{len(self.people.true)} people at tape speeds and microphones, {len(self.people.held)} to judge by")
        self.piper_true = directed(self.piper_heard[0].view(-1, self.each, 129).nanmean(1))
        learned = torch.tensor([i for i in range(len(rows)) if i % HELD], device=device)
        self.crowd = Crowd([self.people.true, self.people.true, self.piper_true[learned]], self.people.given, self.people.true)
        self.encoder = VoiceEncoder(dropout=options.dropout).to(device).begin(self.stock_heard, self.styles[:, : st.STYLE])
        if options.earlier:
            self.encoder.load_state_dict(torch.load(os.path.join(options.earlier, "encoder.pt"), map_location=device, weights_only=True))
        self.mean_encoder = VoiceEncoder().to(device)
        self.mean_encoder.load_state_dict(self.encoder.state_dict())
        self.mean_encoder.eval()
        self.offsets, self.mean_offsets = LanguageOffsets().to(device), LanguageOffsets().to(device)
        if options.earlier and os.path.exists(os.path.join(options.earlier, "offsets.pt")):
            for part in (self.offsets, self.mean_offsets):
                part.load_state_dict(torch.load(os.path.join(options.earlier, "offsets.pt"), map_location=device, weights_only=True))
        self.spectral = SpectralLoss(device)
        self.low = SpectralLoss(device, tuple((size, step, bands, HIGHEST) for size, step, bands in ((2048, 512, 80), (1024, 256, 64), (600, 240, 48), (512, 128, 40))))
        self.critics = nn.ModuleList([MultiPeriod(p) for p in (2, 3, 5, 7, 11)] + [MultiResolution(n) for n in (2048, 1024, 512)]).to(device)
        self.critics.to(memory_format=torch.channels_last)
        cuda = device == "cuda"
        rate = lambda value: torch.tensor(value, device=device) if cuda else value
        optimizer = lambda groups, betas: torch.optim.AdamW([{"params": list(part.parameters()), "lr": rate(value)} for part, value in groups], betas=betas, weight_decay=0.01, **({"fused": True, "capturable": True} if cuda else {}))
        self.make = optimizer(((self.model, options.rate), (self.encoder, options.encoder_rate), (self.offsets, options.encoder_rate)), (0.8, 0.99))
        self.judge = optimizer(((self.critics, options.critic_rate),), (0.8, 0.99))
        self.ramp = torch.zeros((), device=device)
        self.sums = {}
        self.slots = {
            "piper": zero(OF_PIPER), "piper_start": zero(OF_PIPER), "piper_given": torch.zeros(OF_PIPER, 129, device=device),
            "real": zero(OF_REAL), "real_start": zero(OF_REAL), "real_given": torch.zeros(OF_REAL, 129, device=device),
            "stock": zero(OF_STOCK), "stock_start": zero(OF_STOCK),
            "said": zero(OF_PEOPLE), "said_start": zero(OF_PEOPLE), "given": torch.zeros(OF_PEOPLE, 129, device=device),
            "as_stock": zero(OF_PEOPLE), "by_stock": torch.zeros(OF_PEOPLE, 1, dtype=torch.bool, device=device), "offset": zero(OF_PEOPLE),
            "true": torch.zeros(OF_PEOPLE, 128, device=device), "factor": torch.ones(OF_PEOPLE, device=device),
        }
        self.checkpoint = os.path.join(options.work, "checkpoint.pt")
        if options.resume:
            self.step = load_state(self.checkpoint, self.parts(), device)
        self.likeness = Likeness(self, [i for i in range(len(rows)) if i % HELD == 0])
        told("ready")

    def samples(self, among):
        """Up to 64 stock chunks of each language."""
        names = ("en", *LANGUAGES)
        return {name: (among & (self.language == i)).nonzero()[:64, 0] for i, name in enumerate(names)}

    def parts(self):
        return {"model": self.model, "average": self.average, "encoder": self.encoder, "mean_encoder": self.mean_encoder, "offsets": self.offsets, "mean_offsets": self.mean_offsets, "critics": self.critics, "make": self.make, "judge": self.judge}

    def energy_line(self, measured, wanted):
        """The decoder's energy as a line of what is measured, where there is sound."""
        loud = measured > measured.amax(1, keepdim=True) - 8
        x, y = measured[loud], wanted[loud]
        slope = ((x - x.mean()) * (y - y.mean())).mean() / x.var()
        print(f"  energy: {slope:.3f} x + {y.mean() - slope * x.mean():.3f}, correlation {torch.corrcoef(torch.stack([x, y]))[0, 1]:.3f}", flush=True)
        return slope.item(), (y.mean() - slope * x.mean()).item()

    @torch.no_grad()
    def best_shift(self, speech, energy, random):
        mel, losses = MelLoss(self.device), {}
        usual = self.styles[:, : st.STYLE].mean(0)[None]
        for shift in (-2, -1, 0, 1, 2, 3):
            chunks = piper_chunks(speech, energy, self.level, 1, self.device, np.random.default_rng(5), shift, torch.arange(48, device=self.device) * 18, self.least)
            rows = torch.arange(48, device=self.device)
            made = waves_of(self.old, chunks, rows, torch.zeros_like(rows), 2 * CHUNK, usual.expand(48, -1))
            losses[shift] = mel(made, chunks.wave.float() / 32767).item()
        print("  mel by shift:", {k: round(v, 4) for k, v in losses.items()}, flush=True)
        return min(losses, key=losses.get)

    def draw(self):
        """What the next DRAWN steps work with: each slot [DRAWN, …]."""
        device, random, n = self.device, self.random, DRAWN
        integers = lambda low, high, *shape: torch.randint(low, high, shape, device=device)
        learned = torch.tensor([i for i in range(len(self.rows)) if i % HELD], device=device)
        speaker = learned[integers(0, len(learned), n, OF_PIPER)]
        chunk = speaker * self.each + integers(0, self.each, n, OF_PIPER)
        other = speaker * self.each + integers(0, self.each, n, OF_PIPER)
        real = integers(0, len(self.real.wave), n, OF_REAL)
        slots = {
            "real": real, "real_start": 2 * integers(0, CHUNK - CROP // 2 + 1, n, OF_REAL),
            "real_given": self.people.given[self.real_of[real], integers(0, self.people.given.shape[1], n, OF_REAL)],
            "piper": chunk, "piper_start": 2 * integers(0, CHUNK - CROP // 2 + 1, n, OF_PIPER),
            "piper_given": self.piper_heard[integers(0, 2, n, OF_PIPER), other],
            "stock": self.kept[integers(0, len(self.kept), n, OF_STOCK)], "stock_start": 2 * integers(0, CHUNK - CROP // 2 + 1, n, OF_STOCK),
            "said_start": 2 * integers(0, CHUNK - LONG // 2 + 1, n, OF_PEOPLE),
        }
        # 45 % of those who are compared by x-vector are people, a third of these between two; the others are Piper's speakers, random or stock voices.
        person, row = integers(0, len(self.people.true), n, OF_PEOPLE), integers(0, self.people.given.shape[1], n, OF_PEOPLE)
        given, true = self.people.given[person, row], self.people.true[person]
        share = torch.rand(n, OF_PEOPLE, 1, device=device) * 1.3
        share = torch.where(torch.rand_like(share) < 1 / 3, share, torch.ones_like(share))
        mixed = lambda x: share * x + (1 - share) * x[:, torch.randperm(OF_PEOPLE, generator=torch.Generator().manual_seed(self.step)).to(device)]
        given, true = directed(torch.where(share == 1, given, mixed(given))), directed(torch.where(share == 1, true, mixed(true)))
        speaker = learned[integers(0, len(learned), n, OF_PEOPLE)]
        kind = torch.rand(n, OF_PEOPLE, 1, device=device)
        piper_given = self.piper_heard[integers(0, 2, n, OF_PEOPLE), speaker * self.each + integers(0, self.each, n, OF_PEOPLE)]
        for (low, high), (theirs, they) in (((0.0, 0.2), (piper_given, self.piper_true[speaker])), ((0.2, 0.45), self.crowd.draw(n, OF_PEOPLE))):
            these = (kind >= low) & (kind < high)
            given, true = torch.where(these, theirs, given), torch.where(these, they, true)
        # Native stock voices, which speak other languages here.
        as_stock = self.natives[integers(0, len(self.natives), n, OF_PEOPLE)]
        by_stock = kind >= 0.9
        true = torch.where(by_stock, self.stock_heard[as_stock], true)
        # Texts whose pitch is near theirs, brought to it.
        pitch = torch.where(true[..., 128].isnan(), torch.full_like(true[..., 128], 7.3), true[..., 128])
        pick = integers(0, len(self.styles), n, OF_PEOPLE, 6)
        nearest = (self.stock.median[pick] - pitch[..., None]).abs().argmin(-1, keepdim=True)
        said = pick.gather(-1, nearest)[..., 0]
        factor = torch.where(true[..., 128].isnan(), torch.ones_like(pitch), 2 ** (pitch - self.stock.median[said])).clamp(0.5, 2)
        # A stock voice has no offset in its own language.
        offset = torch.where(by_stock[..., 0] & (self.language[as_stock] == self.language[said]), torch.zeros_like(said), self.language[said])
        return slots | {"as_stock": as_stock, "by_stock": by_stock, "offset": offset, "said": said, "given": given, "true": true[..., :128], "factor": factor}

    def note(self, **values):
        for key, value in values.items():
            self.sums.setdefault(key, torch.zeros((), device=self.device)).add_(value.detach())

    def set_rates(self, fade):
        fade = fade * min(1.0, (self.step + 1) / 200)
        set_rate(self.make, (self.options.rate * fade, self.options.encoder_rate * fade, self.options.encoder_rate * fade))
        set_rate(self.judge, (self.options.critic_rate * fade,))
        self.ramp.fill_(min(1.0, max(0.0, (self.step - self.options.warm + 1) / max(1, self.options.ramp))))

    def once(self, adversarial):
        """One step, without a word to the host: it must be fit for recording."""
        half = lambda: torch.autocast(self.device, torch.bfloat16, cache_enabled=False)
        at, options = self.slots, self.options
        rows = torch.arange(CROP * st.HOP, device=self.device)
        cut = lambda chunks, name: chunks.wave[at[name][:, None], (at[f"{name}_start"] * st.HOP)[:, None] + rows].float() / 32767
        given, recorded_wave = cut(self.piper, "piper"), cut(self.real, "real")
        places = self.encoder.places(torch.cat([at["piper_given"], at["real_given"], at["given"], self.stock_heard[at["stock"]]]))
        styles = self.encoder.mean + self.encoder.spread * places
        of_piper, of_real, of_people, of_stock = styles.split((OF_PIPER, OF_REAL, OF_PEOPLE, OF_STOCK))
        offsets = self.offsets(at["offset"])
        of_people = torch.where(at["by_stock"], self.styles[at["as_stock"], : st.STYLE], of_people) + self.encoder.spread * offsets
        made = waves_of(self.model, self.piper, at["piper"], at["piper_start"], CROP, of_piper)
        copied = waves_of(self.model, self.real, at["real"], at["real_start"], CROP, of_real)
        style = self.styles[at["stock"], : st.STYLE]
        features, source, summary = self.stock.inputs(at["stock"], at["stock_start"], CROP, self.model.context)
        noise = st.spectra((torch.rand(OF_STOCK, (CROP + 4 * st.OVERLAP) * st.HOP, device=self.device) * 2 - 1) * math.sqrt(3), CROP + 2 * st.OVERLAP)
        condition = torch.cat([style, summary], 1)
        stock = st.synthesize(self.model(features, condition), source, noise)
        with torch.no_grad():
            before = st.synthesize(self.old(features, condition), source, noise)
        people = waves_of(self.model, self.stock, at["said"], at["said_start"], LONG, of_people, at["factor"])
        shown, real = torch.cat([made, people[:JUDGED, 60 * st.HOP : (60 + CROP) * st.HOP]]), torch.cat([given, before])
        if adversarial:
            with half():
                judged = sum(discriminator_losses(self.critics, real, shown))
            self.judge.zero_grad(set_to_none=True)
            judged.backward()
            nn.utils.clip_grad_norm_(self.critics.parameters(), 50.0)
            self.judge.step()
            self.note(judged=judged)
        total = 0.0
        for name, ours, wanted, share in (("piper", made, given, 0.6), ("stock", stock, before, 0.8)):
            terms = dict(zip(("mel", "level", "phase"), self.spectral(ours, wanted)))
            terms |= dict(zip(("heard", "voice"), self.hearing(ours, wanted)))
            if name == "piper":
                terms.pop("phase")
            total = total + share * sum(WEIGHTS[key] * value for key, value in terms.items())
            self.note(**{f"{name}_mel": terms["mel"], f"{name}_voice": terms["voice"]})
        heard, voice = self.hearing(copied, recorded_wave)
        mel = self.low(copied, recorded_wave)[0]
        total = total + options.real * (WEIGHTS["mel"] * mel + WEIGHTS["heard"] * heard + WEIGHTS["voice"] * voice)
        self.note(real_mel=mel, real_voice=voice)
        vectors = self.listener(resampled(people, LISTENED / st.RATE))
        unlike = (1 - (vectors * at["true"]).sum(1)).mean()
        anchor = ((of_stock - style) / self.encoder.spread).square().mean()
        size = places[: -OF_STOCK].square().mean()
        words = self.words(people, self.stock.token[at["said"][:, None], at["said_start"][:, None] // 2 + torch.arange(LONG // 2, device=self.device)]).mean()
        away = offsets.square().mean()
        total = total + options.people * unlike + options.words * words + options.anchor * anchor + options.size * (size + away)
        self.note(unlike=unlike, words=words, anchor=anchor, size=size, away=away)
        if adversarial:
            with half():
                fooled, alike = generator_losses(self.critics, given, shown)
            total = total + self.ramp * (fooled + 2 * alike)
            self.note(fooled=fooled, alike=alike)
        self.make.zero_grad(set_to_none=True)
        total.backward()
        self.note(norm=nn.utils.clip_grad_norm_(self.model.parameters(), 30.0), enorm=nn.utils.clip_grad_norm_([*self.encoder.parameters(), *self.offsets.parameters()], 5.0))
        self.make.step()
        with torch.no_grad():
            for kept, now in ((self.average, self.model), (self.mean_encoder, self.encoder), (self.mean_offsets, self.offsets)):
                torch._foreach_lerp_(list(kept.parameters()), list(now.parameters()), 1 - options.keep)

    def record(self, adversarial):
        """-> a function that does a step."""
        if self.device != "cuda" or self.options.eager:
            return lambda: self.once(adversarial)
        return recorded(lambda: self.once(adversarial), (self.model, self.average, self.encoder, self.mean_encoder, self.offsets, self.mean_offsets, self.critics), (self.make, self.judge), self.sums)

    def save(self, everything):
        to = lambda name: os.path.join(self.options.work, name)
        torch.save({key: value.half() for key, value in self.average.state_dict().items()}, to("student.pt"))
        torch.save(self.mean_encoder.state_dict(), to("encoder.pt"))
        torch.save(self.mean_offsets.state_dict(), to("offsets.pt"))
        if everything:
            save_state(self.checkpoint, self.parts(), self.step)


def main():
    options = options_of()
    os.makedirs(options.work, exist_ok=True)
    torch.manual_seed(0)
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    torch.backends.cudnn.benchmark = True
    device = "cuda" if torch.cuda.is_available() else "cpu"
    # What making the data takes counts, too: a call has an end.
    called = time.time()
    training = Training(options, device)
    print("   at the start:", training.likeness.validate(), flush=True)
    whole, acts = options.whole or options.seconds, {}
    began = told = checked = time.time()
    counted = drawn = 0
    while (passed := time.time() - called) < options.seconds:
        if drawn == 0:
            slots, drawn = training.draw(), DRAWN
            if device == "cuda":
                torch.cuda.synchronize()
            share = min(1.0, (options.before + passed) / whole)
            training.set_rates(0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * share)))
        drawn -= 1
        for name, slot in training.slots.items():
            slot.copy_(slots[name][drawn])
        adversarial = training.step >= options.warm
        if adversarial not in acts:
            acts[adversarial] = training.record(adversarial)
        acts[adversarial]()
        training.step += 1
        counted += 1
        if time.time() - told > 30:
            values = " ".join(f"{key} {float(value) / counted:.4g}" for key, value in training.sums.items())
            print(f"{training.step} {passed:.0f} s, {counted / (time.time() - told):.1f}/s: {values}", flush=True)
            if not math.isfinite(float(training.sums["unlike"])):
                raise SystemExit("lost: the loss is no number")
            for total in training.sums.values():
                total.zero_()
            counted, told = 0, time.time()
        if time.time() - checked > 90:
            print("  ", training.likeness.validate(), flush=True)
            training.save(False)
            checked = told = time.time()
            counted = 0
            for total in training.sums.values():
                total.zero_()
    training.save(True)
    print("   at the end:", training.likeness.validate(), flush=True)
    print("done", training.step, f"{time.time() - called:.0f} s", flush=True)


if __name__ == "__main__":
    main()

"""Trains the student with many voices, and an encoder from features of a speaker to the student's style.

  python train.py PACK_FOLDER STUDENT.pt WORK_FOLDER SECONDS [--resume]

Four kinds of speech in each step:
  Piper's speakers: the encoder gets one excerpt, the target of the student is another one;
  people: the same with recordings, whose text features are estimated (token_recognizer.py);
  stock voices: the target is the output of the student before this training;
  other texts in the voices of people: the losses are the distance of x-vectors, the cross-entropy of tokens and the distance of Whisper's features
    from those of the same text by a native voice.
Writes student.pt, encoder.pt, offsets.pt (averaged weights) and checkpoint.pt into WORK_FOLDER.
"""

import math
import os
import time

import numpy as np
import torch
import torch.nn as nn

import paths  # noqa: F401  adds the other folders to the import path
import pitch_energy
import student as st
from discriminators import MultiPeriod, MultiResolution, discriminator_losses, generator_losses
from encoder import FEATURES, LANGUAGES, LanguageOffsets, VoiceEncoder, language_index
from encoder_teacher import Teacher
from speaker_loss import SpeakerLoss
from speaker_features import XVectors, RATE as FEATURE_RATE, resampled
from losses import MelLoss, SpectralLoss
from options import parse_options
from record_step import recorded, set_rate
from training_state import load_state, save_state
from evaluation import Evaluation
from recognizer_features import RecognizerLoss
from token_recognizer import train_recognizer
from batches import CROP, DRAWN, HELD_OUT_STEP, LONG, PIPER_ITEMS, RECORDING_ITEMS, SIMILARITY_ITEMS, STOCK_ITEMS, draw_batches
from contrast import OTHERS, contrast_loss
from network_loss import NetworkLoss
from speaker_input import SpeakerInput, with_unit_vectors
from speaker_network import load_network
from training_data import CHUNK, MAX_HERTZ, SpeakerSampler, People, PiperSpeech, people_chunks, piper_chunks, stock_chunks
from synthesis import synthesize_chunks

DISCRIMINATED = 12  # of the voices that are compared by x-vector
WEIGHTS = {"mel": 30.0, "magnitude": 5.0, "phase": 4.0, "speaker_layers": 10.0, "speaker_cosine": 10.0}


class Training:
    def __init__(self, options, device):
        self.options, self.device, self.step = options, device, 0
        clock = time.time()

        def log(text):
            print(f"  {time.time() - clock:.0f} s: {text}", flush=True)

        random = self.random = np.random.default_rng(1)
        self.xvectors = XVectors(os.path.join(options.pack, "speaker.npz"), device)
        self.speaker_input = SpeakerInput(self.xvectors, load_network(options.input_network, device))
        self.speaker_loss = SpeakerLoss(os.path.join(options.pack, "speaker.npz"), device)
        self.original = st.load(options.start, device).eval().requires_grad_(False)
        initial = os.path.join(options.earlier, "student.pt") if options.earlier else options.start
        self.model, self.average = st.load(initial, device), st.load(initial, device).eval()
        reader = Teacher(os.path.join(options.pack, "encoder.npz"), device)
        self.stock, self.styles, self.languages, self.native = stock_chunks(options.pack, reader, options.stock, device, random)
        self.language = torch.tensor([language_index(name) for name in self.languages], device=device)
        log(f"{options.stock} stock chunks")
        zero = lambda count: torch.zeros(count, dtype=torch.long, device=device)
        features_list, parts = [], []
        with torch.no_grad():
            for at in range(0, options.stock, 64):
                rows = torch.arange(at, min(at + 64, options.stock), device=device)
                wave = synthesize_chunks(self.original, self.stock, rows, zero(len(rows)), 2 * CHUNK, self.styles[rows, : st.STYLE])
                features_list.append(self.speaker_input(resampled(wave, FEATURE_RATE / st.RATE)))
                parts.append((wave.clamp(-1, 1) * 32767).round().to(torch.int16))
        self.stock_features, self.stock_wave = torch.cat(features_list), torch.cat(parts)
        sound = self.stock_wave
        waves = sound[:256].float() / 32767
        energy, count = pitch_energy.Energy(device), len(waves)
        self.level = waves.square().mean().sqrt().item()
        self.energy_fit = self.fit_energy(energy(waves), self.stock.energy[:count])
        target, agreement = self.stock.pitch[:count], {}
        for voicing_threshold in (0.1, 0.2, 0.3, 0.4, 0.5, 0.6):
            agreement[voicing_threshold] = ((pitch_energy.pitch_track(waves, voicing_threshold)[0] > 10) == (target > 10)).float().mean().item()
        self.voicing_threshold = max(agreement, key=agreement.get)
        pitch = pitch_energy.pitch_track(waves, self.voicing_threshold)[0]
        both = (pitch > 10) & (target > 10)
        log(f"level {self.level:.4f}; voiced {(target > 10).float().mean():.3f}, voicing agrees {agreement}, pitch error {(torch.log2(pitch[both]) - torch.log2(target[both])).abs().median():.4f} octaves")
        fitted = lambda wave: self.energy_fit[0] * energy(wave) + self.energy_fit[1]
        speech = PiperSpeech(options.pack, reader, device)
        shift = self.best_shift(speech, fitted, random)
        log(f"{len(speech.takes)} takes, text features {shift} frames later")
        rows = torch.randperm(len(speech.speakers), generator=torch.Generator().manual_seed(3))[: options.speakers].to(device)
        self.excerpts, self.rows = options.excerpts, rows
        self.piper = piper_chunks(speech, fitted, self.level, options.excerpts, device, random, shift, rows, self.voicing_threshold)
        log(f"{len(self.piper.wave)} chunks of Piper")
        speaker_of = torch.arange(len(self.piper.wave), device=device) // self.excerpts
        training_rows = speaker_of % HELD_OUT_STEP > 0
        self.recognizer_loss = RecognizerLoss(os.path.join(options.pack, "whisper.onnx"), device)
        # Voices of other languages mispronounce some phonemes, such as the French "r", so they are not used as targets.
        plain = self.native | (self.language == 0)
        self.learned_chunks, self.natives = plain.nonzero()[:, 0], self.native.nonzero()[:, 0]
        self.token_loss = train_recognizer([(self.piper.wave[training_rows], self.piper.asr[training_rows], self.piper.token[training_rows]), (sound[plain], self.stock.asr[plain], self.stock.token[plain])], device, options.recognizer_steps)
        by_language = {name: self.token_loss(sound[rows].float() / 32767, self.stock.token[rows]).mean().item() for name, rows in self.samples(self.native).items()}
        by_others = {name: self.token_loss(sound[rows].float() / 32767, self.stock.token[rows]).mean().item() for name, rows in self.samples(~self.native).items()}
        log(f"stock voices, native: { {k: round(v, 3) for k, v in by_language.items()} }, other voices and mixes: { {k: round(v, 3) for k, v in by_others.items()} }")
        held_out = (~training_rows).nonzero()[:64, 0]
        token_errors = [self.token_loss(self.piper.wave[held_out].float() / 32767, self.piper.token[held_out], max_hertz).mean().item() for max_hertz in (8000.0, MAX_HERTZ)]
        estimated, reference = self.token_loss.features(self.piper.wave[held_out].float() / 32767, MAX_HERTZ), self.piper.asr[held_out].float()
        share = 1 - (estimated - reference).square().mean() / reference.var()
        log(f"token cross-entropy {token_errors[0]:.3f} for held-out speakers ({token_errors[1]:.3f} up to {MAX_HERTZ} Hz, R2 of the features {share:.3f}), {self.token_loss(waves, self.stock.token[:256]).mean():.3f} for stock voices")
        clean, augmented = [], []
        for at in range(0, len(self.piper.wave), 128):
            wave = resampled(self.piper.wave[at : at + 128].float() / 32767, FEATURE_RATE / st.RATE)
            for collected, augment in ((clean, False), (augmented, True)):
                collected.append(self.speaker_input(wave, augment))
        self.piper_features = torch.stack([torch.cat(clean), torch.cat(augmented)])
        by_speaker = self.piper_features.view(2, -1, self.excerpts, FEATURES).transpose(0, 1)
        means = with_unit_vectors(torch.stack([by_speaker.roll(shift, 2) for shift in range(min(3, self.excerpts))]).nanmean(0))
        self.piper_inputs = [part.flatten(1, 2) for part in (by_speaker, means)]
        # A third has estimated text features, as people have, so that the student treats both alike.
        for part in torch.arange(0, len(self.piper.wave), 3, device=device).split(128):
            self.piper.asr[part] = self.token_loss.features(self.piper.wave[part].float() / 32767, MAX_HERTZ).half()
            self.piper.update_derived(part)
        self.real, self.real_of = people_chunks(options.pack, self.token_loss, fitted, self.level, options.factors, options.microphones, device, self.voicing_threshold)
        log(f"{len(self.real.wave)} chunks of people")
        self.people = People(options.pack, self.speaker_input, device, options.factors, options.microphones)
        log(f"{len(self.people.reference)} people with resampling factors and microphones, {len(self.people.held_out)} for evaluation")
        self.network_loss = NetworkLoss(options.speaker_networks, device) if options.speaker_networks else None
        if self.network_loss:
            self.people_by_networks = self.network_loss.references(self.real.wave, self.real_of // options.microphones)
            self.piper_by_networks = self.network_loss.references(self.piper.wave, speaker_of)
        self.piper_references = with_unit_vectors(self.piper_features[0].view(-1, self.excerpts, FEATURES).nanmean(1))
        training_rows = torch.tensor([i for i in range(len(rows)) if i % HELD_OUT_STEP], device=device)
        people_rows, piper_rows = self.people.reference, self.piper_references[training_rows]
        if self.network_loss:
            people_rows = torch.cat([people_rows, self.people_by_networks.repeat_interleave(options.microphones, 0).flatten(1)], 1)
            piper_rows = torch.cat([piper_rows, self.piper_by_networks[training_rows].flatten(1)], 1)
        self.speaker_sampler = SpeakerSampler([people_rows, people_rows, piper_rows], self.people.given, self.people.reference)
        # Rows with the speaker's formants, and with others.
        self.person_rows = [rows.nonzero()[:, 0] for rows in (~self.people.other_formants, self.people.other_formants)]
        self.recording_rows = [rows.nonzero()[:, 0] for rows in (~self.people.other_formants[self.real_of], self.people.other_formants[self.real_of])]
        self.encoder = VoiceEncoder(dropout=options.dropout).to(device).initialize(self.stock_features, self.styles[:, : st.STYLE])
        if options.earlier:
            self.encoder.load_state_dict(torch.load(os.path.join(options.earlier, "encoder.pt"), map_location=device, weights_only=True))
        self.average_encoder = VoiceEncoder().to(device)
        self.average_encoder.load_state_dict(self.encoder.state_dict())
        self.average_encoder.eval()
        self.offsets, self.average_offsets = LanguageOffsets().to(device), LanguageOffsets().to(device)
        if options.earlier and os.path.exists(os.path.join(options.earlier, "offsets.pt")):
            for part in (self.offsets, self.average_offsets):
                part.load_state_dict(torch.load(os.path.join(options.earlier, "offsets.pt"), map_location=device, weights_only=True))
        self.spectral = SpectralLoss(device)
        self.low = SpectralLoss(device, tuple((size, step, bands, MAX_HERTZ) for size, step, bands in ((2048, 512, 80), (1024, 256, 64), (600, 240, 48), (512, 128, 40))))
        self.discriminators = nn.ModuleList([MultiPeriod(p) for p in (2, 3, 5, 7, 11)] + [MultiResolution(n) for n in (2048, 1024, 512)]).to(device)
        self.discriminators.to(memory_format=torch.channels_last)
        cuda = device == "cuda"
        rate = lambda value: torch.tensor(value, device=device) if cuda else value
        optimizer = lambda groups, betas: torch.optim.AdamW([{"params": list(part.parameters()), "lr": rate(value)} for part, value in groups], betas=betas, weight_decay=0.01, **({"fused": True, "capturable": True} if cuda else {}))
        self.optimizer = optimizer(((self.model, options.rate), (self.encoder, options.encoder_rate), (self.offsets, options.encoder_rate)), (0.8, 0.99))
        self.discriminator_optimizer = optimizer(((self.discriminators, options.discriminator_rate),), (0.8, 0.99))
        self.ramp = torch.zeros((), device=device)
        self.sums = {}
        self.slots = {
            "piper": zero(PIPER_ITEMS), "piper_start": zero(PIPER_ITEMS), "piper_given": torch.zeros(PIPER_ITEMS, FEATURES, device=device),
            "real": zero(RECORDING_ITEMS), "real_start": zero(RECORDING_ITEMS), "real_given": torch.zeros(RECORDING_ITEMS, FEATURES, device=device),
            "stock": zero(STOCK_ITEMS), "stock_start": zero(STOCK_ITEMS),
            "text": zero(SIMILARITY_ITEMS), "text_start": zero(SIMILARITY_ITEMS), "given": torch.zeros(SIMILARITY_ITEMS, FEATURES, device=device),
            "as_stock": zero(SIMILARITY_ITEMS), "by_stock": torch.zeros(SIMILARITY_ITEMS, 1, dtype=torch.bool, device=device), "offset": zero(SIMILARITY_ITEMS),
            "reference": torch.zeros(SIMILARITY_ITEMS, 128, device=device), "others": torch.zeros(OTHERS, 128, device=device), "factor": torch.ones(SIMILARITY_ITEMS, device=device),
        }
        if self.network_loss:
            shape = self.people_by_networks.shape[1:]
            self.slots |= {"by_networks": torch.zeros(SIMILARITY_ITEMS, *shape, device=device), "others_by_networks": torch.zeros(OTHERS, *shape, device=device), "known": torch.zeros(SIMILARITY_ITEMS, device=device)}
        self.checkpoint = os.path.join(options.work, "checkpoint.pt")
        if options.resume:
            self.step = load_state(self.checkpoint, self.parts(), device)
        self.evaluation = Evaluation(self, [i for i in range(len(rows)) if i % HELD_OUT_STEP == 0])
        log("ready")

    def samples(self, among):
        """Up to 64 stock chunks of each language."""
        names = ("en", *LANGUAGES)
        return {name: (among & (self.language == i)).nonzero()[:64, 0] for i, name in enumerate(names)}

    def parts(self):
        """By their names in checkpoints."""
        return {"model": self.model, "average": self.average, "encoder": self.encoder, "mean_encoder": self.average_encoder, "offsets": self.offsets, "mean_offsets": self.average_offsets, "critics": self.discriminators, "make": self.optimizer, "judge": self.discriminator_optimizer}

    def fit_energy(self, measured, target):
        """Linear regression of the decoder's energy on the measured one, in loud frames."""
        loud = measured > measured.amax(1, keepdim=True) - 8
        x, y = measured[loud], target[loud]
        slope = ((x - x.mean()) * (y - y.mean())).mean() / x.var()
        print(f"  energy: {slope:.3f} x + {y.mean() - slope * x.mean():.3f}, correlation {torch.corrcoef(torch.stack([x, y]))[0, 1]:.3f}", flush=True)
        return slope.item(), (y.mean() - slope * x.mean()).item()

    @torch.no_grad()
    def best_shift(self, speech, energy, random):
        mel, losses = MelLoss(self.device), {}
        usual = self.styles[:, : st.STYLE].mean(0)[None]
        for shift in (-2, -1, 0, 1, 2, 3):
            chunks = piper_chunks(speech, energy, self.level, 1, self.device, np.random.default_rng(5), shift, torch.arange(48, device=self.device) * 18, self.voicing_threshold)
            rows = torch.arange(48, device=self.device)
            piper_audio = synthesize_chunks(self.original, chunks, rows, torch.zeros_like(rows), 2 * CHUNK, usual.expand(48, -1))
            losses[shift] = mel(piper_audio, chunks.wave.float() / 32767).item()
        print("  mel by shift:", {k: round(v, 4) for k, v in losses.items()}, flush=True)
        return min(losses, key=losses.get)

    def add_to_log(self, **values):
        for key, value in values.items():
            self.sums.setdefault(key, torch.zeros((), device=self.device)).add_(value.detach())

    def set_rates(self, decay):
        decay = decay * min(1.0, (self.step + 1) / 200)
        set_rate(self.optimizer, (self.options.rate * decay, self.options.encoder_rate * decay, self.options.encoder_rate * decay))
        set_rate(self.discriminator_optimizer, (self.options.discriminator_rate * decay,))
        self.ramp.fill_(min(1.0, max(0.0, (self.step - self.options.warmup + 1) / max(1, self.options.ramp))))

    def train_step(self, adversarial):
        """One step. It must not synchronize with the host, so that it can be captured as a CUDA graph."""
        half = lambda: torch.autocast(self.device, torch.bfloat16, cache_enabled=False)
        at, options = self.slots, self.options
        rows = torch.arange(CROP * st.HOP, device=self.device)
        cut = lambda chunks, name: chunks.wave[at[name][:, None], (at[f"{name}_start"] * st.HOP)[:, None] + rows].float() / 32767
        given, recorded_wave = cut(self.piper, "piper"), cut(self.real, "real")
        normalized_styles = self.encoder.normalized_styles(torch.cat([at["piper_given"], at["real_given"], at["given"], self.stock_features[at["stock"]]]))
        styles = self.encoder.mean + self.encoder.spread * normalized_styles
        of_piper, of_real, of_people, of_stock = styles.split((PIPER_ITEMS, RECORDING_ITEMS, SIMILARITY_ITEMS, STOCK_ITEMS))
        offsets = self.offsets(at["offset"])
        of_people = torch.where(at["by_stock"], self.styles[at["as_stock"], : st.STYLE], of_people) + self.encoder.spread * offsets
        piper_audio = synthesize_chunks(self.model, self.piper, at["piper"], at["piper_start"], CROP, of_piper)
        copied = synthesize_chunks(self.model, self.real, at["real"], at["real_start"], CROP, of_real)
        style = self.styles[at["stock"], : st.STYLE]
        features, source, summary = self.stock.inputs(at["stock"], at["stock_start"], CROP, self.model.context)
        noise = st.spectra((torch.rand(STOCK_ITEMS, (CROP + 4 * st.OVERLAP) * st.HOP, device=self.device) * 2 - 1) * math.sqrt(3), CROP + 2 * st.OVERLAP)
        condition = torch.cat([style, summary], 1)
        stock = st.synthesize(self.model(features, condition), source, noise)
        with torch.no_grad():
            before = st.synthesize(self.original(features, condition), source, noise)
        people = synthesize_chunks(self.model, self.stock, at["text"], at["text_start"], LONG, of_people, at["factor"])
        generated, real = torch.cat([piper_audio, people[:DISCRIMINATED, 60 * st.HOP : (60 + CROP) * st.HOP]]), torch.cat([given, before])
        if adversarial:
            with half():
                discriminator_loss = sum(discriminator_losses(self.discriminators, real, generated))
            self.discriminator_optimizer.zero_grad(set_to_none=True)
            discriminator_loss.backward()
            nn.utils.clip_grad_norm_(self.discriminators.parameters(), 50.0)
            self.discriminator_optimizer.step()
            self.add_to_log(discriminator_loss=discriminator_loss)
        total = 0.0
        for name, ours, target, share in (("piper", piper_audio, given, 0.6), ("stock", stock, before, 0.8)):
            terms = dict(zip(("mel", "magnitude", "phase"), self.spectral(ours, target)))
            terms |= dict(zip(("speaker_layers", "speaker_cosine"), self.speaker_loss(ours, target)))
            if name == "piper":
                terms.pop("phase")
            total = total + share * sum(WEIGHTS[key] * value for key, value in terms.items())
            self.add_to_log(**{f"{name}_mel": terms["mel"], f"{name}_cosine": terms["speaker_cosine"]})
        layers, cosine = self.speaker_loss(copied, recorded_wave)
        mel = self.low(copied, recorded_wave)[0]
        total = total + options.recording_weight * (WEIGHTS["mel"] * mel + WEIGHTS["speaker_layers"] * layers + WEIGHTS["speaker_cosine"] * cosine)
        self.add_to_log(real_mel=mel, real_cosine=cosine)
        heard = resampled(people, FEATURE_RATE / st.RATE)
        vectors = self.xvectors(heard)
        speaker_distance = (1 - (vectors * at["reference"]).sum(1)).mean()
        contrast = contrast_loss(vectors, at["reference"], at["others"])
        anchor = ((of_stock - style) / self.encoder.spread).square().mean()
        size = normalized_styles[: -STOCK_ITEMS].square().mean()
        token_loss = self.token_loss(people, self.stock.token[at["text"][:, None], at["text_start"][:, None] // 2 + torch.arange(LONG // 2, device=self.device)]).mean()
        long_rows = torch.arange(LONG * st.HOP, device=self.device)
        native = self.stock_wave[at["text"][:, None], (at["text_start"] * st.HOP)[:, None] + long_rows].float() / 32767
        recognizer_loss = self.recognizer_loss(people, native, st.RATE).mean()
        offset_size = offsets.square().mean()
        total = total + options.similarity_weight * speaker_distance + options.contrast_weight * contrast + options.token_weight * token_loss + options.recognizer_weight * recognizer_loss + options.anchor_weight * anchor + options.style_weight * (size + offset_size)
        self.add_to_log(speaker_distance=speaker_distance, contrast=contrast, token_loss=token_loss, recognizer_loss=recognizer_loss, anchor=anchor, size=size, offset_size=offset_size)
        if self.network_loss:
            distance, network_contrast = self.network_loss(heard, at["by_networks"], at["others_by_networks"], at["known"])
            total = total + options.network_weight * distance + options.contrast_weight * network_contrast
            self.add_to_log(network_distance=distance, network_contrast=network_contrast)
        if adversarial:
            with half():
                adversarial_loss, feature_matching = generator_losses(self.discriminators, given, generated)
            total = total + self.ramp * (adversarial_loss + 2 * feature_matching)
            self.add_to_log(adversarial_loss=adversarial_loss, feature_matching=feature_matching)
        self.optimizer.zero_grad(set_to_none=True)
        total.backward()
        self.add_to_log(norm=nn.utils.clip_grad_norm_(self.model.parameters(), 30.0), enorm=nn.utils.clip_grad_norm_([*self.encoder.parameters(), *self.offsets.parameters()], 5.0))
        self.optimizer.step()
        with torch.no_grad():
            for average, current in ((self.average, self.model), (self.average_encoder, self.encoder), (self.average_offsets, self.offsets)):
                torch._foreach_lerp_(list(average.parameters()), list(current.parameters()), 1 - options.ema_decay)

    def compile_step(self, adversarial):
        """-> a function that performs a step."""
        if self.device != "cuda" or self.options.eager:
            return lambda: self.train_step(adversarial)
        return recorded(lambda: self.train_step(adversarial), (self.model, self.average, self.encoder, self.average_encoder, self.offsets, self.average_offsets, self.discriminators), (self.optimizer, self.discriminator_optimizer), self.sums)

    def save(self, with_state):
        to = lambda name: os.path.join(self.options.work, name)
        torch.save({key: value.half() for key, value in self.average.state_dict().items()}, to("student.pt"))
        torch.save(self.average_encoder.state_dict(), to("encoder.pt"))
        torch.save(self.average_offsets.state_dict(), to("offsets.pt"))
        if with_state:
            save_state(self.checkpoint, self.parts(), self.step)


def main():
    options = parse_options()
    os.makedirs(options.work, exist_ok=True)
    torch.manual_seed(0)
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    torch.backends.cudnn.benchmark = True
    device = "cuda" if torch.cuda.is_available() else "cpu"
    # SECONDS include the preparation of the data.
    started = time.time()
    training = Training(options, device)
    print("   at the start:", training.evaluation.validate(), flush=True)
    schedule, steps = options.schedule_seconds or options.seconds, {}
    reported_at = validated_at = time.time()
    steps_since_report = remaining = 0
    while (elapsed := time.time() - started) < options.seconds:
        if remaining == 0:
            slots, remaining = draw_batches(training), DRAWN
            if device == "cuda":
                torch.cuda.synchronize()
            share = min(1.0, (options.elapsed + elapsed) / schedule)
            training.set_rates(0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * share)))
        remaining -= 1
        for name, slot in training.slots.items():
            slot.copy_(slots[name][remaining])
        adversarial = training.step >= options.warmup
        if adversarial not in steps:
            steps[adversarial] = training.compile_step(adversarial)
        steps[adversarial]()
        training.step += 1
        steps_since_report += 1
        if time.time() - reported_at > 30:
            values = " ".join(f"{key} {float(value) / steps_since_report:.4g}" for key, value in training.sums.items())
            print(f"{training.step} {elapsed:.0f} s, {steps_since_report / (time.time() - reported_at):.1f}/s: {values}", flush=True)
            if not math.isfinite(float(training.sums["speaker_distance"])):
                raise SystemExit("the loss is not finite")
            for total in training.sums.values():
                total.zero_()
            steps_since_report, reported_at = 0, time.time()
        if time.time() - validated_at > 90:
            print("  ", training.evaluation.validate(), flush=True)
            training.save(False)
            validated_at = reported_at = time.time()
            steps_since_report = 0
            for total in training.sums.values():
                total.zero_()
    training.save(True)
    print("   at the end:", training.evaluation.validate(), flush=True)
    print("done", training.step, f"{time.time() - started:.0f} s", flush=True)


if __name__ == "__main__":
    main()

"""Trains the encoder through Piper and the network that knows voices: what it says is spoken, heard, and compared with who was
meant.

  python train.py PACK_FOLDER OUT_FOLDER SECONDS [options]
"""

import argparse
import copy
import math
import os
import time

import numpy as np
import torch

from encoder import Encoder, Speakers, features
from listener import RATE, Listener, median_pitch, resampled, unit
from persons import CLIP_RATE, Crowd, Heard, Persons, drawn_voices, spoken
from piper import RATE as PIPER_RATE
from piper import Piper

#: Which share of those that it learns from are between two persons.
MIXED = 1 / 3
#: So many texts are spoken by each of those that it is judged by.
TRIALS = 6


def options():
    parse = argparse.ArgumentParser()
    parse.add_argument("pack")
    parse.add_argument("out")
    parse.add_argument("seconds", type=float)
    parse.add_argument("--batch", type=int, nargs=3, default=(24, 72, 0), help="of Piper's voices, of persons, of anybody")
    parse.add_argument("--rate", type=float, default=1e-3)
    parse.add_argument("--axes", type=int, default=512)
    parse.add_argument("--start", help="an encoder to go on from, instead of the linear map")
    parse.add_argument("--width", type=int, default=1024)
    parse.add_argument("--near", type=float, default=0.01, help="how much it costs to be unlike all speakers")
    parse.add_argument("--pitch", type=float, default=0.3, help="how much it costs to miss the pitch")
    parse.add_argument("--ceiling", type=int, default=0, help="steps of fitting each judged person alone, after it")
    return parse.parse_args()


class Training:
    def __init__(self, pack, axes, width, device):
        self.device = device
        self.piper, self.listener = Piper(pack, device), Listener(os.path.join(pack, "speaker.npz"), device)
        self.speakers, self.persons = Speakers(pack, device), Persons(pack, device)
        self.encoder = Encoder(axes, width).to(device).begin(self.speakers)
        self.pitch_weights, self.pitch_bias = self.speakers.pitch_of()
        self.crowd = Crowd(self.listener, self.persons, self.speakers)
        self.judged = self.who_is_judged()

    def heard(self, of_piper, of_persons, of_crowd):
        known = Heard.joined([
            Heard.of(self.listener, *spoken(self.piper, drawn_voices(self.speakers, of_piper))),
            # Twice, since each time the tape runs at one speed for all.
            Heard.of(self.listener, *self.persons.draw(of_persons - of_persons // 2)),
            Heard.of(self.listener, *self.persons.draw(of_persons // 2)),
        ]).mixed(MIXED)
        return Heard.joined([known, self.crowd.draw(of_crowd)]) if of_crowd else known

    def said(self, voices, priors):
        return resampled(self.piper.say(voices, priors), RATE / PIPER_RATE)

    def losses(self, heard, options):
        places = self.encoder.places(features(heard.given, heard.given_pitch))
        voices = self.encoder.voices(places)
        return self.judge(places, voices, heard.true, heard.true_pitch, options)

    def judge(self, places, voices, wanted, pitch, options):
        with torch.autocast(self.device, torch.bfloat16, enabled=self.device == "cuda"):
            sound = self.piper.say(voices, self.piper.priors(len(voices)))
        vectors = self.listener(resampled(sound.float(), RATE / PIPER_RATE))
        off = torch.nan_to_num(voices @ self.pitch_weights + self.pitch_bias - pitch)
        unlike = 1 - (vectors * wanted).sum(1)
        loss = unlike.mean() + options.near * places.square().mean() + options.pitch * off.square().mean()
        return loss, unlike.mean(), places.square().mean(), off.abs().mean()

    def who_is_judged(self):
        """Persons that nothing is learned from: what is heard in one clip, and who it is by the others."""
        names, given, true, pitch = [], [], [], []
        with torch.no_grad():
            for name, clips in self.persons.held.items():
                vectors = self.listener(resampled(torch.stack(clips), RATE / CLIP_RATE))
                half = max(1, len(clips) // 2)
                names.append(name)
                given.append(unit(vectors[:half].sum(0)))
                true.append(unit(vectors[half:].sum(0)))
                pitch.append(median_pitch(resampled(torch.cat(clips[:half])[None], RATE / CLIP_RATE))[0])
        dice = torch.Generator().manual_seed(4)
        priors = [self.piper.priors(len(names), dice) for _ in range(TRIALS)]
        return names, torch.stack(given), torch.stack(true), torch.stack(pitch), priors

    @torch.no_grad()
    def likeness(self, voices):
        _, _, true, _, priors = self.judged
        return (unit(sum(self.listener(self.said(voices, prior)) for prior in priors)) * true).sum(1)

    @torch.no_grad()
    def validate(self, encoder):
        names, given, _, pitch, _ = self.judged
        places = encoder.eval().places(features(given, pitch))
        encoder.train()
        found = self.likeness(encoder.voices(places))
        groups = {}
        for name, value in zip(names, found.tolist()):
            groups.setdefault(name.split("/")[0], []).append(value)
        return {**{name: float(np.mean(values)) for name, values in groups.items()}, "size": places.square().mean().item()}

    def nearest(self):
        """The most alike of the speakers that Piper was taught, for comparison."""
        _, given, _, _, _ = self.judged
        rows = (given @ self.speakers.heard.T).argmax(1)
        return self.likeness(self.speakers.vectors[rows]).mean().item()

    def ceiling(self, steps, options):
        """How near one comes who fits each judged person alone, to the clip that is given."""
        _, given, _, pitch, _ = self.judged
        self.encoder.eval()
        places = self.encoder.places(features(given, pitch)).detach().requires_grad_()
        optimiser = torch.optim.Adam([places], 0.03)
        for step in range(steps):
            optimiser.zero_grad()
            loss = self.judge(places, self.encoder.voices(places), given, pitch, options)[0] * len(given)
            loss.backward()
            optimiser.step()
            if (step + 1) % (steps // 4) == 0:
                print(f"  fitted {step + 1}: {self.likeness(self.encoder.voices(places)).mean():.4f}, size {places.square().mean():.2f}", flush=True)


def main(options):
    torch.manual_seed(0)
    np.random.seed(0)
    torch.backends.cudnn.benchmark = True
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = True
    device = "cuda" if torch.cuda.is_available() else "cpu"
    training = Training(options.pack, options.axes, options.width, device)
    os.makedirs(options.out, exist_ok=True)
    baseline = training.validate(training.encoder)
    if options.start:
        training.encoder.load_state_dict(torch.load(options.start, map_location=device))
    persons = training.persons
    print(f"{len(persons.learned)} persons to learn from, {len(persons.held)} to be judged by, {len(training.piper.texts)} takes of texts")
    print(f"nearest speaker {training.nearest():.4f}; linear map {baseline}", flush=True)
    optimiser = torch.optim.AdamW(training.encoder.parameters(), options.rate, (0.9, 0.98), weight_decay=0.01)
    average = copy.deepcopy(training.encoder)
    began, step, seen, told = time.time(), 0, [], time.time()
    while (share := (time.time() - began) / options.seconds) < 1:
        for group in optimiser.param_groups:
            group["lr"] = options.rate * min(1, (step + 1) / 100) * 0.5 * (1 + math.cos(math.pi * share))
        optimiser.zero_grad(set_to_none=True)
        results = training.losses(training.heard(*options.batch), options)
        results[0].backward()
        torch.nn.utils.clip_grad_norm_(training.encoder.parameters(), 1)
        optimiser.step()
        with torch.no_grad():
            for mean, now in zip(average.parameters(), training.encoder.parameters()):
                mean.lerp_(now, max(0.002, 1 / (step + 2)))
        step += 1
        seen.append(torch.stack(results).detach())
        if time.time() - told > 30:
            told = time.time()
            means = " ".join(f"{value:.4f}" for value in torch.stack(seen).mean(0).tolist())
            seen.clear()
            print(f"{step} ({told - began:.0f} s): loss, unlike, size, pitch {means}; judged {training.validate(average)}", flush=True)
            torch.save(average.state_dict(), os.path.join(options.out, "encoder.pt"))
    training.encoder = average
    print(f"{step} steps: {training.validate(average)}")
    torch.save(training.encoder.state_dict(), os.path.join(options.out, "encoder.pt"))
    if options.ceiling:
        training.ceiling(options.ceiling, options)


if __name__ == "__main__":
    main(options())

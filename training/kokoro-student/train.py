"""Trains the student on the shards of pairs.py, while they are still being made if need be.

  python train.py WORK_FOLDER OUT_FOLDER SECONDS [--batch 32] [--warm 800] [--resume] [--start STUDENT.pt] [--coarse] [--hearing SPEAKER.npz]

The learning rate falls to nothing at the end of SECONDS, or at the time (seconds since 1970) in WORK_FOLDER/deadline if
that file is there. Checkpoints: WORK_FOLDER/checkpoint.pt (all, to go on from), OUT_FOLDER/student.pt (averaged weights,
float16). On a GPU a whole step is recorded once as a CUDA graph and replayed: thousands of small kernels cost more to
launch than to run.
"""

import argparse
import math
import os
import time

import numpy as np
import torch
import torch.nn as nn

import student as st
import quantise  # student.py adds its folder to the path
from record_step import recorded, set_rate
from training_state import load_state, save_state
from dataset import CROP, Pairs
from discriminators import MultiPeriod, MultiResolution, discriminator_losses, generator_losses
from hearing import Hearing
from losses import MelLoss, SpectralLoss

SEED = 0
DRAWN = 25  # batches drawn at once; new pairs are looked for as often
WEIGHTS = {"mel": 30.0, "level": 5.0, "phase": 4.0, "fool": 1.0, "match": 2.0, "heard": 10.0, "voice": 10.0}


def options_of():
    parse = argparse.ArgumentParser()
    parse.add_argument("work")
    parse.add_argument("out")
    parse.add_argument("seconds", type=float)
    parse.add_argument("--batch", type=int, default=32)
    parse.add_argument("--judged", type=int, default=16, help="crops of a batch that the critics see")
    parse.add_argument("--warm", type=int, default=800, help="steps without critics")
    parse.add_argument("--ramp", type=int, default=500, help="steps over which the critics' word comes to count")
    parse.add_argument("--rate", type=float, default=6e-4)
    parse.add_argument("--critic-rate", type=float, default=3e-4)
    parse.add_argument("--keep", type=float, default=0.999, help="of the averaged weights, a step")
    parse.add_argument("--hours", type=float, default=30)
    parse.add_argument("--resume", action="store_true")
    parse.add_argument("--start", help="weights to begin with, as export.py reads them and import_onnx.py writes them")
    parse.add_argument("--hearing", help="speaker model to listen with, as hearing.py packs it")
    parse.add_argument("--coarse", action="store_true", help="learn to work with eight bits")
    parse.add_argument("--report", type=int, default=200)
    parse.add_argument("--eager", action="store_true", help="no CUDA graphs")
    parse.add_argument("--trial", type=int, help="steps on silence, to see the pace and no more")
    return parse.parse_args()


class Training:
    def __init__(self, options, device):
        self.options, self.device, self.step = options, device, 0
        self.model = st.load(options.start, device) if options.start else st.Student().to(device)
        self.average = st.Student().to(device).eval()
        self.average.load_state_dict(self.model.state_dict())
        self.critics = nn.ModuleList([MultiPeriod(p) for p in (2, 3, 5, 7, 11)] + [MultiResolution(n) for n in (2048, 1024, 512)]).to(device)
        self.critics.to(memory_format=torch.channels_last)
        self.spectral = SpectralLoss(device)
        self.hearing = Hearing(options.hearing, device) if options.hearing else None
        # Recorded steps read their rate from the device.
        cuda = device == "cuda"
        rate = lambda value: torch.tensor(value, device=device) if cuda else value
        optimizer = lambda part, value: torch.optim.AdamW(part.parameters(), rate(value), betas=(0.8, 0.99), weight_decay=0.01, fused=cuda, capturable=cuda)
        self.make, self.judge = optimizer(self.model, options.rate), optimizer(self.critics, options.critic_rate)
        self.checkpoint = os.path.join(options.work, "checkpoint.pt")
        if options.resume:
            self.step = load_state(self.checkpoint, self.parts(), device)
        self.pairs = Pairs(device, options.hours)
        self.pick = torch.zeros(options.batch, dtype=torch.long, device=device)
        self.start = torch.full((options.batch,), 80, dtype=torch.long, device=device)
        self.ramp = torch.zeros((), device=device)
        self.sums = {}

    def parts(self):
        return {"model": self.model, "average": self.average, "critics": self.critics, "make": self.make, "judge": self.judge}

    def note(self, **values):
        for key, value in values.items():
            self.sums.setdefault(key, torch.zeros((), device=self.device)).add_(value.detach())

    def set_rates(self, fade):
        fade = fade * min(1.0, (self.step + 1) / 200)
        set_rate(self.make, (self.options.rate * fade,))
        set_rate(self.judge, (self.options.critic_rate * fade,))
        self.ramp.fill_(min(1.0, max(0.0, (self.step - self.options.warm + 1) / max(1, self.options.ramp))))

    def once(self, adversarial):
        """One step, without a word to the host: it must be fit for recording."""
        half = lambda: torch.autocast(self.device, torch.bfloat16, cache_enabled=False)
        size = self.options.batch
        features, condition, source, wanted = self.pairs.batch(self.pick, self.start, self.model.context)
        samples = (torch.rand(size, (CROP + 4 * st.OVERLAP) * st.HOP, device=self.device) * 2 - 1) * math.sqrt(3)
        made = st.synthesize(self.model(features, condition), source, st.spectra(samples, CROP + 2 * st.OVERLAP))
        # Critics are dear: they see a part of the batch.
        shown, given = made[: self.options.judged], wanted[: self.options.judged]
        if adversarial:
            with half():
                losses = discriminator_losses(self.critics, given, shown)
            self.note(**{f"d{index}": loss for index, loss in enumerate(losses)})
            self.judge.zero_grad(set_to_none=True)
            sum(losses).backward()
            self.note(dnorm=nn.utils.clip_grad_norm_(self.critics.parameters(), 50.0))
            self.judge.step()
        terms = dict(zip(("mel", "level", "phase"), self.spectral(made, wanted)))
        if self.hearing:
            terms |= dict(zip(("heard", "voice"), self.hearing(made, wanted)))
        total = sum(WEIGHTS[key] * value for key, value in terms.items())
        if adversarial:
            with half():
                terms |= dict(zip(("fool", "match"), generator_losses(self.critics, given, shown)))
            total = total + self.ramp * (WEIGHTS["fool"] * terms["fool"] + WEIGHTS["match"] * terms["match"])
        self.make.zero_grad(set_to_none=True)
        total.backward()
        self.note(norm=nn.utils.clip_grad_norm_(self.model.parameters(), 30.0), **terms)
        self.make.step()
        with torch.no_grad():
            torch._foreach_lerp_(list(self.average.parameters()), list(self.model.parameters()), 1 - self.options.keep)

    @torch.no_grad()
    def coarsen(self):
        """From here on in eight bits. Layers that have no step yet are set by what they see."""
        drawn = [self.pairs.batch(picks, starts, self.model.context)[:2] for picks, starts in zip(*self.pairs.draw(4, self.options.batch))]
        if not self.model.enter.mix.learn:
            seen = torch.cat([features.flatten(0, 1) for features, _ in drawn]).abs()
            rows = seen[torch.randint(len(seen), (20_000,), device=seen.device)]
            self.model.enter.set_range(rows.quantile(0.9995, 0))
        quantise.calibrate(self.model, lambda: [self.model(*batch) for batch in drawn])
        self.average.load_state_dict(self.model.state_dict())
        for layer in quantise.layers(self.average):
            layer.learn = True

    def record(self, adversarial):
        """-> a function that does a step."""
        if self.device != "cuda" or self.options.eager:
            return lambda: self.once(adversarial)
        return recorded(lambda: self.once(adversarial), (self.model, self.average, self.critics), (self.make, self.judge), self.sums)

    def save(self, everything):
        path = os.path.join(self.options.out, "student.pt")
        torch.save({key: value.half() for key, value in self.average.state_dict().items()}, path + ".tmp")
        os.replace(path + ".tmp", path)
        if everything:
            save_state(self.checkpoint, self.parts(), self.step)


@torch.no_grad()
def validate(model, path, mel, hearing, device, most=24):
    """Log-mel distance, level where the teacher is silent, cosine of voices, on whole texts."""
    # Each text has a length of its own: looking for the fastest kernels for every one of them would take longest.
    torch.backends.cudnn.benchmark = False
    shard = np.load(path)
    asr, pitch, energy, style, wave = (torch.from_numpy(shard[k]).to(device) for k in ("asr", "pitch", "energy", "style", "wave"))
    at, losses, quiet, voices = 0, [], [], []
    for i, length in enumerate(shard["frames"].tolist()[:most]):
        here = slice(2 * at, 2 * (at + length))
        made = st.speak(model, asr[at : at + length].float(), pitch[here], energy[here], style[i, : st.STYLE])
        wanted = wave[600 * at : 600 * (at + length)].float() / 32767
        losses.append(mel(made[None], wanted[None]).item())
        if hearing and length > 80:
            voices.append(1 - hearing(made[None], wanted[None])[1].item())
        silent = wanted.reshape(-1, 600).abs().amax(1) < 2e-4
        if silent.any():
            quiet.append(made.reshape(-1, 600)[silent].square().mean().item())
        at += length
    torch.backends.cudnn.benchmark = True
    level = 10 * math.log10(float(np.mean(quiet)) + 1e-12) if quiet else 0.0
    return f"mel {np.mean(losses):.4f}, silence {level:.1f} dBFS, voices {np.mean(voices or [0]):.3f} least {min(voices or [0]):.3f}"


def main():
    options = options_of()
    os.makedirs(options.out, exist_ok=True)
    torch.manual_seed(SEED)
    torch.backends.cuda.matmul.allow_tf32 = True
    torch.backends.cudnn.allow_tf32 = True
    torch.backends.cudnn.benchmark = True
    torch.backends.cudnn.benchmark_limit = 3
    device = "cuda" if torch.cuda.is_available() else "cpu"
    first = time.time()
    training = Training(options, device)
    count = lambda module: sum(p.numel() for p in module.parameters()) / 1e6
    print(f"parameters {count(training.model):.2f} M, critics {count(training.critics):.2f} M, context {training.model.context}", flush=True)
    shards, validation, mel = os.path.join(options.work, "pairs"), os.path.join(options.work, "validation.npz"), MelLoss(device)
    while not options.trial and training.pairs.add_new(shards, 8) == 0:
        time.sleep(0.5)
    if options.coarse:
        training.coarsen()
    alone = training.record(False) if options.warm > training.step or options.trial else None
    judged = training.record(True)
    print(f"ready after {time.time() - first:.1f} s", flush=True)
    if options.trial:
        for name, act in (("alone", alone), ("judged", judged)):
            begun = time.time()
            for _ in range(options.trial):
                act()
            if device == "cuda":
                torch.cuda.synchronize()
            print(f"{name}: {options.trial / (time.time() - begun):.2f} steps/s of {options.batch}", flush=True)
        return

    started = begun = time.time()

    def deadline():
        try:
            return float(open(os.path.join(options.work, "deadline")).read())
        except (OSError, ValueError):
            return begun + options.seconds

    end, counted, drawn, fade = deadline(), 0, 0, 1.0
    while time.time() < end:
        if drawn == 0:
            training.pairs.add_new(shards, 4)
            picks, starts = training.pairs.draw(DRAWN, options.batch)
            end, drawn = deadline(), DRAWN
            if device == "cuda":
                torch.cuda.synchronize()
            ratio = min(1.0, (time.time() - begun) / max(1.0, end - begun))
            fade = 0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * ratio))
            training.set_rates(fade)
        drawn -= 1
        training.pick.copy_(picks[drawn])
        training.start.copy_(starts[drawn])
        (judged if training.step >= options.warm else alone)()
        training.step += 1
        counted += 1
        if training.step % options.report == 0:
            values = {key: float(value) / counted for key, value in training.sums.items()}
            pace = counted / (time.time() - started)
            print(f"{training.step} {time.time() - begun:.0f}s {pace:.2f}/s data {training.pairs.seconds / 3600:.2f} h lr {fade:.3f} " + " ".join(f"{k} {v:.4g}" for k, v in values.items()), flush=True)
            if not math.isfinite(values["mel"]):
                raise SystemExit("lost: the loss is no number")
            for total in training.sums.values():
                total.zero_()
            counted = 0
            if training.step % (5 * options.report) == 0:
                if os.path.exists(validation):
                    print("   validation: " + validate(training.average, validation, mel, training.hearing, device), flush=True)
                training.save(training.step % (20 * options.report) == 0)
            started = time.time()
    training.save(True)
    if os.path.exists(validation):
        print("   validation: " + validate(training.average, validation, mel, training.hearing, device), flush=True)
    open(os.path.join(options.out, "done"), "w").write(str(training.step))
    print("done", training.step, flush=True)


if __name__ == "__main__":
    main()

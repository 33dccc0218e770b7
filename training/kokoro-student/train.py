"""Trains the student on the shards of pairs.py, which may run at the same time.

  python train.py WORK_FOLDER OUT_FOLDER SECONDS [--batch 32] [--warmup 800] [--resume] [--start STUDENT.pt] [--quantize] [--speaker-model SPEAKER.npz]

The learning rate decays until the end of SECONDS, or until the time (seconds since 1970) in WORK_FOLDER/deadline if
that file exists. Checkpoints: WORK_FOLDER/checkpoint.pt (the whole state, to resume), OUT_FOLDER/student.pt (averaged weights,
float16). On a GPU, a step is a CUDA graph: thousands of small kernels take longer to launch than to run.
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
from speaker_loss import SpeakerLoss
from losses import MelLoss, SpectralLoss

SEED = 0
DRAWN = 25  # batches that are sampled at once; new pairs are loaded at the same interval
WEIGHTS = {"mel": 30.0, "magnitude": 5.0, "phase": 4.0, "adversarial": 1.0, "feature_matching": 2.0, "speaker_layers": 10.0, "speaker_cosine": 10.0}


def parse_options():
    parser = argparse.ArgumentParser()
    parser.add_argument("work")
    parser.add_argument("out")
    parser.add_argument("seconds", type=float)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--discriminator-crops", type=int, default=16, help="crops of a batch that the discriminators are given")
    parser.add_argument("--warmup", type=int, default=800, help="steps without discriminators")
    parser.add_argument("--ramp", type=int, default=500, help="steps in which the weight of the adversarial loss rises to its final value")
    parser.add_argument("--rate", type=float, default=6e-4)
    parser.add_argument("--discriminator-rate", type=float, default=3e-4)
    parser.add_argument("--ema-decay", type=float, default=0.999, help="decay of the averaged weights, per step")
    parser.add_argument("--hours", type=float, default=30)
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--start", help="initial weights, as export.py reads them and import_onnx.py writes them")
    parser.add_argument("--speaker-model", help="speaker network of the perceptual loss, as packed by speaker_loss.py")
    parser.add_argument("--quantize", action="store_true", help="quantization-aware training in 8 bits")
    parser.add_argument("--report", type=int, default=200)
    parser.add_argument("--eager", action="store_true", help="no CUDA graphs")
    parser.add_argument("--trial", type=int, help="measures the speed: so many steps on silence")
    return parser.parse_args()


class Training:
    def __init__(self, options, device):
        self.options, self.device, self.step = options, device, 0
        self.model = st.load(options.start, device) if options.start else st.Student().to(device)
        self.average = st.Student().to(device).eval()
        self.average.load_state_dict(self.model.state_dict())
        self.discriminators = nn.ModuleList([MultiPeriod(p) for p in (2, 3, 5, 7, 11)] + [MultiResolution(n) for n in (2048, 1024, 512)]).to(device)
        self.discriminators.to(memory_format=torch.channels_last)
        self.spectral = SpectralLoss(device)
        self.speaker_loss = SpeakerLoss(options.speaker_model, device) if options.speaker_model else None
        # A CUDA graph reads the learning rate from the device.
        cuda = device == "cuda"
        rate = lambda value: torch.tensor(value, device=device) if cuda else value
        optimizer = lambda part, value: torch.optim.AdamW(part.parameters(), rate(value), betas=(0.8, 0.99), weight_decay=0.01, fused=cuda, capturable=cuda)
        self.optimizer, self.discriminator_optimizer = optimizer(self.model, options.rate), optimizer(self.discriminators, options.discriminator_rate)
        self.checkpoint = os.path.join(options.work, "checkpoint.pt")
        if options.resume:
            self.step = load_state(self.checkpoint, self.parts(), device)
        self.pairs = Pairs(device, options.hours)
        self.pick = torch.zeros(options.batch, dtype=torch.long, device=device)
        self.start = torch.full((options.batch,), 80, dtype=torch.long, device=device)
        self.ramp = torch.zeros((), device=device)
        self.sums = {}

    def parts(self):
        return {"model": self.model, "average": self.average, "discriminators": self.discriminators, "optimizer": self.optimizer, "discriminator_optimizer": self.discriminator_optimizer}

    def add_to_log(self, **values):
        for key, value in values.items():
            self.sums.setdefault(key, torch.zeros((), device=self.device)).add_(value.detach())

    def set_rates(self, decay):
        decay = decay * min(1.0, (self.step + 1) / 200)
        set_rate(self.optimizer, (self.options.rate * decay,))
        set_rate(self.discriminator_optimizer, (self.options.discriminator_rate * decay,))
        self.ramp.fill_(min(1.0, max(0.0, (self.step - self.options.warmup + 1) / max(1, self.options.ramp))))

    def train_step(self, adversarial):
        """One step. It must not synchronize with the host, so that it can be captured as a CUDA graph."""
        half = lambda: torch.autocast(self.device, torch.bfloat16, cache_enabled=False)
        size = self.options.batch
        features, condition, source, target = self.pairs.batch(self.pick, self.start, self.model.context)
        samples = (torch.rand(size, (CROP + 4 * st.OVERLAP) * st.HOP, device=self.device) * 2 - 1) * math.sqrt(3)
        generated = st.synthesize(self.model(features, condition), source, st.spectra(samples, CROP + 2 * st.OVERLAP))
        # The discriminators are slow, so they get a part of the batch.
        generated_crops, target_crops = generated[: self.options.discriminator_crops], target[: self.options.discriminator_crops]
        if adversarial:
            with half():
                losses = discriminator_losses(self.discriminators, target_crops, generated_crops)
            self.add_to_log(**{f"d{index}": loss for index, loss in enumerate(losses)})
            self.discriminator_optimizer.zero_grad(set_to_none=True)
            sum(losses).backward()
            self.add_to_log(dnorm=nn.utils.clip_grad_norm_(self.discriminators.parameters(), 50.0))
            self.discriminator_optimizer.step()
        terms = dict(zip(("mel", "magnitude", "phase"), self.spectral(generated, target)))
        if self.speaker_loss:
            terms |= dict(zip(("speaker_layers", "speaker_cosine"), self.speaker_loss(generated, target)))
        total = sum(WEIGHTS[key] * value for key, value in terms.items())
        if adversarial:
            with half():
                terms |= dict(zip(("adversarial", "feature_matching"), generator_losses(self.discriminators, target_crops, generated_crops)))
            total = total + self.ramp * (WEIGHTS["adversarial"] * terms["adversarial"] + WEIGHTS["feature_matching"] * terms["feature_matching"])
        self.optimizer.zero_grad(set_to_none=True)
        total.backward()
        self.add_to_log(norm=nn.utils.clip_grad_norm_(self.model.parameters(), 30.0), **terms)
        self.optimizer.step()
        with torch.no_grad():
            torch._foreach_lerp_(list(self.average.parameters()), list(self.model.parameters()), 1 - self.options.ema_decay)

    @torch.no_grad()
    def quantize(self):
        """Enables quantization-aware training. Layers without a step size are calibrated on a few batches."""
        batches = [self.pairs.batch(picks, starts, self.model.context)[:2] for picks, starts in zip(*self.pairs.draw(4, self.options.batch))]
        if not self.model.enter.mix.learn:
            seen = torch.cat([features.flatten(0, 1) for features, _ in batches]).abs()
            selected = seen[torch.randint(len(seen), (20_000,), device=seen.device)]
            self.model.enter.set_range(selected.quantile(0.9995, 0))
        quantise.calibrate(self.model, lambda: [self.model(*batch) for batch in batches])
        self.average.load_state_dict(self.model.state_dict())
        for layer in quantise.layers(self.average):
            layer.learn = True

    def compile_step(self, adversarial):
        """-> a function that performs a step."""
        if self.device != "cuda" or self.options.eager:
            return lambda: self.train_step(adversarial)
        return recorded(lambda: self.train_step(adversarial), (self.model, self.average, self.discriminators), (self.optimizer, self.discriminator_optimizer), self.sums)

    def save(self, with_state):
        path = os.path.join(self.options.out, "student.pt")
        torch.save({key: value.half() for key, value in self.average.state_dict().items()}, path + ".tmp")
        os.replace(path + ".tmp", path)
        if with_state:
            save_state(self.checkpoint, self.parts(), self.step)


@torch.no_grad()
def validate(model, path, mel, speaker_loss, device, max_texts=24):
    """Log-mel distance, level where the teacher is silent, cosine of x-vectors, on whole texts."""
    # Each text has another length: searching the fastest kernels for each would take longer than the evaluation.
    torch.backends.cudnn.benchmark = False
    shard = np.load(path)
    asr, pitch, energy, style, wave = (torch.from_numpy(shard[k]).to(device) for k in ("asr", "pitch", "energy", "style", "wave"))
    at, losses, silence_power, cosines = 0, [], [], []
    for i, length in enumerate(shard["frames"].tolist()[:max_texts]):
        here = slice(2 * at, 2 * (at + length))
        generated = st.speak(model, asr[at : at + length].float(), pitch[here], energy[here], style[i, : st.STYLE])
        target = wave[600 * at : 600 * (at + length)].float() / 32767
        losses.append(mel(generated[None], target[None]).item())
        if speaker_loss and length > 80:
            cosines.append(1 - speaker_loss(generated[None], target[None])[1].item())
        silent = target.reshape(-1, 600).abs().amax(1) < 2e-4
        if silent.any():
            silence_power.append(generated.reshape(-1, 600)[silent].square().mean().item())
        at += length
    torch.backends.cudnn.benchmark = True
    level = 10 * math.log10(float(np.mean(silence_power)) + 1e-12) if silence_power else 0.0
    return f"mel {np.mean(losses):.4f}, silence {level:.1f} dBFS, x-vectors {np.mean(cosines or [0]):.3f} minimum {min(cosines or [0]):.3f}"


def main():
    options = parse_options()
    os.makedirs(options.out, exist_ok=True)
    torch.manual_seed(SEED)
    torch.backends.cuda.matmul.allow_tf32 = True
    torch.backends.cudnn.allow_tf32 = True
    torch.backends.cudnn.benchmark = True
    torch.backends.cudnn.benchmark_limit = 3
    device = "cuda" if torch.cuda.is_available() else "cpu"
    created_at = time.time()
    training = Training(options, device)
    count = lambda module: sum(p.numel() for p in module.parameters()) / 1e6
    print(f"parameters {count(training.model):.2f} M, discriminators {count(training.discriminators):.2f} M, context {training.model.context}", flush=True)
    shards, validation, mel = os.path.join(options.work, "pairs"), os.path.join(options.work, "validation.npz"), MelLoss(device)
    while not options.trial and training.pairs.add_new(shards, 8) == 0:
        time.sleep(0.5)
    if options.quantize:
        training.quantize()
    without_discriminators = training.compile_step(False) if options.warmup > training.step or options.trial else None
    with_discriminators = training.compile_step(True)
    print(f"ready after {time.time() - created_at:.1f} s", flush=True)
    if options.trial:
        for name, run in (("without discriminators", without_discriminators), ("with discriminators", with_discriminators)):
            began = time.time()
            for _ in range(options.trial):
                run()
            if device == "cuda":
                torch.cuda.synchronize()
            print(f"{name}: {options.trial / (time.time() - began):.2f} steps/s of {options.batch}", flush=True)
        return

    started = began = time.time()

    def deadline():
        try:
            return float(open(os.path.join(options.work, "deadline")).read())
        except (OSError, ValueError):
            return began + options.seconds

    end, counted, remaining, decay = deadline(), 0, 0, 1.0
    while time.time() < end:
        if remaining == 0:
            training.pairs.add_new(shards, 4)
            picks, starts = training.pairs.draw(DRAWN, options.batch)
            end, remaining = deadline(), DRAWN
            if device == "cuda":
                torch.cuda.synchronize()
            ratio = min(1.0, (time.time() - began) / max(1.0, end - began))
            decay = 0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * ratio))
            training.set_rates(decay)
        remaining -= 1
        training.pick.copy_(picks[remaining])
        training.start.copy_(starts[remaining])
        (with_discriminators if training.step >= options.warmup else without_discriminators)()
        training.step += 1
        counted += 1
        if training.step % options.report == 0:
            values = {key: float(value) / counted for key, value in training.sums.items()}
            pace = counted / (time.time() - started)
            print(f"{training.step} {time.time() - began:.0f}s {pace:.2f}/s data {training.pairs.seconds / 3600:.2f} h lr {decay:.3f} " + " ".join(f"{k} {v:.4g}" for k, v in values.items()), flush=True)
            if not math.isfinite(values["mel"]):
                raise SystemExit("the loss is not finite")
            for total in training.sums.values():
                total.zero_()
            counted = 0
            if training.step % (5 * options.report) == 0:
                if os.path.exists(validation):
                    print("   validation: " + validate(training.average, validation, mel, training.speaker_loss, device), flush=True)
                training.save(training.step % (20 * options.report) == 0)
            started = time.time()
    training.save(True)
    if os.path.exists(validation):
        print("   validation: " + validate(training.average, validation, mel, training.speaker_loss, device), flush=True)
    open(os.path.join(options.out, "done"), "w").write(str(training.step))
    print("done", training.step, flush=True)


if __name__ == "__main__":
    main()

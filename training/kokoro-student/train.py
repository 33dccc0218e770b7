"""Trains the student on the shards of pairs.py, while they are still being made if need be.

  python train.py WORK_FOLDER OUT_FOLDER SECONDS [--batch 32] [--warm 800] [--resume] [--start STUDENT.pt]

The learning rate falls to nothing at the end of SECONDS, or at the time (seconds since 1970) in WORK_FOLDER/deadline if
that file is there. Checkpoints: WORK_FOLDER/checkpoint.pt (all, to go on from), OUT_FOLDER/student.pt (averaged weights,
float16).
"""

import argparse
import glob
import math
import os
import random
import time

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

import student as st
from discriminators import MultiPeriod, MultiResolution
from losses import MelLoss, complex_loss

SEED = 0
CROP = 80
PAD = 20  # silence around each text, in frames of 40 Hz: context, overlap and a little to begin early


class Pairs:
    """All pairs on the device, one after another with silence between."""

    def __init__(self, device, hours):
        frames = int(hours * 3600 * 40 * 1.35)
        self.device = device
        self.asr = torch.zeros(frames, st.ASR, dtype=torch.float16, device=device)
        self.pitch = torch.zeros(frames * 2, device=device)
        self.energy = torch.zeros(frames * 2, device=device)
        self.phase = torch.zeros(frames * 2, device=device)
        self.valid = torch.zeros(frames * 2, device=device)
        self.wave = torch.zeros(frames * 600, dtype=torch.int16, device=device)
        self.capacity = frames
        self.end = PAD
        self.starts, self.lengths, self.conditions = [], [], []
        self.seen = set()
        self.seconds = 0.0

    def add_new(self, folder, most=400):
        names = [n for n in sorted(glob.glob(os.path.join(folder, "*.npz"))) if n not in self.seen and ".tmp" not in n]
        for name in names[:most]:
            self.seen.add(name)
            self.add(name)
        if names:
            self.start = torch.tensor(self.starts, device=self.device)
            self.length = torch.tensor(self.lengths, device=self.device)
            self.condition = torch.cat(self.conditions)
            self.conditions = [self.condition]
            self.share = self.length.float().clamp(min=40)
        return len(names)

    def add(self, name):
        shard = np.load(name)
        move = lambda key: torch.from_numpy(shard[key]).to(self.device)
        asr, pitch, energy, style, wave = (move(key) for key in ("asr", "pitch", "energy", "style", "wave"))
        at = 0
        rows = []
        for i, length in enumerate(shard["frames"].tolist()):
            room = length + PAD + max(0, CROP // 2 - length)
            if self.end + room > self.capacity:
                return
            here, there = slice(2 * at, 2 * (at + length)), slice(2 * self.end, 2 * (self.end + length))
            self.asr[self.end : self.end + length] = asr[at : at + length]
            self.pitch[there] = pitch[here]
            self.energy[there] = energy[here]
            phase = st.running_phase(pitch[here])
            self.phase[there] = (phase - phase.floor()).float()
            self.valid[there] = 1
            self.wave[600 * self.end : 600 * (self.end + length)] = wave[600 * at : 600 * (at + length)]
            rows.append(torch.cat([style[i, : st.STYLE], st.summary(asr[at : at + length].float(), pitch[here], energy[here])]))
            self.starts.append(self.end)
            self.lengths.append(length)
            self.end += room
            self.seconds += length / 40
            at += length
        self.conditions.append(torch.stack(rows))

    def batch(self, size, context):
        pick = torch.multinomial(self.share, size, replacement=True)
        first, length = 2 * self.start[pick], 2 * self.length[pick]
        room = (length - CROP).clamp(min=0) + 12
        start = first - 6 + (torch.rand(size, device=self.device) * room).long()
        rows = lambda x, lead, count: x[start[:, None] - lead + torch.arange(count, device=self.device)]
        return self.item(rows, start, context, self.condition[pick])

    def item(self, rows, start, context, condition):
        reach = context + st.OVERLAP
        wide = reach + st.OVERLAP
        frames = CROP + 2 * reach
        pitch = rows(self.pitch, wide, CROP + 2 * wide)
        source = st.spectra(st.harmonic_source(pitch, rows(self.phase, wide, CROP + 2 * wide)), frames)
        indices = start[:, None] - reach + torch.arange(frames, device=self.device)
        asr = self.asr[indices // 2].float()
        features = st.frame_features(asr, rows(self.pitch, reach, frames), rows(self.energy, reach, frames), rows(self.valid, reach, frames), source)
        samples = self.wave[(start * st.HOP)[:, None] + torch.arange(CROP * st.HOP, device=self.device)]
        return features, condition, source[:, context : context + CROP + 2 * st.OVERLAP], samples.float() / 32767


def white_noise(size, device):
    samples = (torch.rand(size, (CROP + 4 * st.OVERLAP) * st.HOP, device=device) * 2 - 1) * math.sqrt(3)
    return st.spectra(samples, CROP + 2 * st.OVERLAP)


def validate(model, path, mel, device):
    # Each text has a length of its own: looking for the fastest kernels for every one of them would take longest.
    torch.backends.cudnn.benchmark = False
    shard = np.load(path)
    asr, pitch, energy, style, wave = (torch.from_numpy(shard[k]).to(device) for k in ("asr", "pitch", "energy", "style", "wave"))
    at, losses, quiet = 0, [], []
    with torch.no_grad():
        for i, length in enumerate(shard["frames"].tolist()):
            here = slice(2 * at, 2 * (at + length))
            made = st.speak(model, asr[at : at + length].float(), pitch[here], energy[here], style[i, : st.STYLE])
            wanted = wave[600 * at : 600 * (at + length)].float() / 32767
            losses.append(mel(made[None], wanted[None]).item())
            silent = wanted.reshape(-1, 600).abs().amax(1) < 2e-4
            if silent.any():
                quiet.append(made.reshape(-1, 600)[silent].square().mean().item())
            at += length
    torch.backends.cudnn.benchmark = True
    return float(np.mean(losses)), 10 * math.log10(float(np.mean(quiet)) + 1e-12) if quiet else 0.0


def main():
    parse = argparse.ArgumentParser()
    parse.add_argument("work")
    parse.add_argument("out")
    parse.add_argument("seconds", type=float)
    parse.add_argument("--batch", type=int, default=32)
    parse.add_argument("--warm", type=int, default=800)
    parse.add_argument("--rate", type=float, default=6e-4)
    parse.add_argument("--critic-rate", type=float, default=3e-4)
    parse.add_argument("--hours", type=float, default=30)
    parse.add_argument("--resume", action="store_true")
    parse.add_argument("--start", help="weights to begin with, as export.py reads them and import_onnx.py writes them")
    parse.add_argument("--report", type=int, default=200)
    options = parse.parse_args()
    os.makedirs(options.out, exist_ok=True)
    torch.manual_seed(SEED)
    random.seed(SEED)
    torch.backends.cuda.matmul.allow_tf32 = True
    torch.backends.cudnn.allow_tf32 = True
    torch.backends.cudnn.benchmark = True
    torch.backends.cudnn.benchmark_limit = 4
    device = "cuda" if torch.cuda.is_available() else "cpu"
    half = lambda: torch.autocast(device, torch.bfloat16)

    model = st.Student().to(device)
    if options.start:
        begin = torch.load(options.start, map_location=device, weights_only=True)
        model.load_state_dict({key: value.float() for key, value in begin.items()})
    average = st.Student().to(device)
    average.load_state_dict(model.state_dict())
    critics = nn.ModuleList([MultiPeriod(p) for p in (2, 3, 5, 7, 11)] + [MultiResolution(n) for n in (2048, 1024, 512)]).to(device)
    critics.to(memory_format=torch.channels_last)
    mel = MelLoss(device)
    make = torch.optim.AdamW(model.parameters(), options.rate, betas=(0.8, 0.99), weight_decay=0.01, fused=device == "cuda")
    judge = torch.optim.AdamW(critics.parameters(), options.critic_rate, betas=(0.8, 0.99), weight_decay=0.01, fused=device == "cuda")
    step = 0
    checkpoint = os.path.join(options.work, "checkpoint.pt")
    if options.resume and os.path.exists(checkpoint):
        saved = torch.load(checkpoint, map_location=device, weights_only=True)
        for key, part in (("model", model), ("average", average), ("critics", critics), ("make", make), ("judge", judge)):
            if key in saved:
                part.load_state_dict(saved[key])
        step = saved["step"]
    print(f"parameters {sum(p.numel() for p in model.parameters()) / 1e6:.2f} M, critics {sum(p.numel() for p in critics.parameters()) / 1e6:.2f} M, context {model.context}", flush=True)

    pairs = Pairs(device, options.hours)
    shards = os.path.join(options.work, "pairs")
    while pairs.add_new(shards, 8) == 0:
        time.sleep(0.5)
    started, begun = time.time(), time.time()
    ratio, sums, counted = 0.0, {}, 0

    def deadline():
        path = os.path.join(options.work, "deadline")
        try:
            return float(open(path).read())
        except (OSError, ValueError):
            return begun + options.seconds

    def save(everything):
        weights = {key: value.half() for key, value in average.state_dict().items()}
        torch.save(weights, os.path.join(options.out, "student.pt.tmp"))
        os.replace(os.path.join(options.out, "student.pt.tmp"), os.path.join(options.out, "student.pt"))
        if everything:
            state = {"model": model, "average": average, "critics": critics, "make": make, "judge": judge}
            torch.save({"step": step, **{key: part.state_dict() for key, part in state.items()}}, checkpoint + ".tmp")
            os.replace(checkpoint + ".tmp", checkpoint)

    end = deadline()
    while time.time() < end:
        if step % 50 == 0:
            pairs.add_new(shards)
            end = deadline()
            ratio = min(1.0, (time.time() - begun) / max(1.0, end - begun))
        fade = 0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * ratio))
        for optimizer, rate in ((make, options.rate), (judge, options.critic_rate)):
            for group in optimizer.param_groups:
                group["lr"] = rate * fade * min(1.0, (step + 1) / 200)
        features, condition, source, wanted = pairs.batch(options.batch, model.context)
        with half():
            parts = model(features, condition)
        made = st.synthesize(parts.float(), source, white_noise(options.batch, device))
        adversarial = step >= options.warm
        shown = {}
        if adversarial:
            judged = 0.0
            with half():
                for index, critic in enumerate(critics):
                    scores, _ = critic(torch.cat([wanted, made.detach()]))
                    real, fake = scores.float().chunk(2)
                    loss = ((1 - real) ** 2).mean() + (fake**2).mean()
                    judged = judged + loss
                    shown[f"d{index}"] = loss.detach()
            judge.zero_grad(set_to_none=True)
            judged.backward()
            shown["dnorm"] = nn.utils.clip_grad_norm_(critics.parameters(), 50.0)
            judge.step()
        near = mel(made, wanted)
        close = complex_loss(made, wanted)
        total = 30 * near + (2.0 if adversarial else 4.0) * close
        if adversarial:
            fooled, alike = 0.0, 0.0
            critics.requires_grad_(False)
            with half():
                for critic in critics:
                    with torch.no_grad():
                        _, real = critic(wanted)
                    scores, fake = critic(made)
                    fooled = fooled + ((1 - scores.float()) ** 2).mean()
                    alike = alike + sum((a.float() - b.float()).abs().mean() for a, b in zip(real, fake)) / len(fake)
            critics.requires_grad_(True)
            ramp = min(1.0, (step - options.warm + 1) / 500)
            total = total + ramp * (fooled + 2 * alike)
            shown |= {"fool": fooled.detach(), "match": alike.detach()}
        make.zero_grad(set_to_none=True)
        total.backward()
        shown["norm"] = nn.utils.clip_grad_norm_(model.parameters(), 30.0)
        make.step()
        step += 1
        keep = min(0.999, 1 - 1 / (10 + step * 0.1))
        with torch.no_grad():
            torch._foreach_lerp_(list(average.parameters()), list(model.parameters()), 1 - keep)
        shown |= {"mel": near.detach(), "complex": close.detach()}
        for key, value in shown.items():
            sums[key] = sums.get(key, 0.0) + value
        counted += 1
        if step % options.report == 0:
            values = {key: float(value) / counted for key, value in sums.items()}
            pace = counted / (time.time() - started)
            print(f"{step} {time.time() - begun:.0f}s {pace:.2f}/s data {pairs.seconds / 3600:.2f} h lr {fade:.3f} " + " ".join(f"{k} {v:.4g}" for k, v in values.items()), flush=True)
            if not math.isfinite(values["mel"]):
                raise SystemExit("lost: the loss is no number")
            sums, counted = {}, 0
            validation = os.path.join(options.work, "validation.npz")
            if step % (5 * options.report) == 0:
                if os.path.exists(validation):
                    average.eval()
                    print("   validation mel %.4f, silence %.1f dBFS" % validate(average, validation, mel, device), flush=True)
                save(step % (10 * options.report) == 0)
            started = time.time()
    save(True)
    open(os.path.join(options.out, "done"), "w").write(str(step))
    print("done", step, flush=True)


if __name__ == "__main__":
    main()

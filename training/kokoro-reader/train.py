"""Trains the reader by distillation: the teacher computes the targets of sampled texts and voices on the same device.

  python train.py ENCODER.npz TEXTS.npz VOICES.npz OUT_FOLDER SECONDS [--start READER.pt]

Writes OUT_FOLDER/reader.pt (averaged weights, float16) every two minutes and at the end, and prints an evaluation on held-out texts.
"""

import argparse
import json
import math
import os
import time

import numpy as np
import torch
import torch.nn.functional as F

from sampling import PREFIX, Styles, Texts, batches
from encoder_teacher import Teacher
from reader import PASSES, TEACHER_PASSES, FrozenDurations, Reader, load, position_in_phoneme
from quantise import calibrate  # reader.py adds its folder to the path

WEIGHTS = {"hidden": 0.5, "bert": 2.0, "prosody": 2.0, "durations": 2.0, "total_duration": 1.0, "voiced": 1.0, "pitch": 6.0, "energy": 0.5}
SEED = 5


def produce_batches(queue, texts, voices, seed, tokens, count):
    texts, styles, random = Texts(texts), Styles(voices), np.random.default_rng(seed)
    while True:
        for batch in batches(texts, styles, random, tokens, count):
            queue.put(batch)


class TargetVariance:
    """The variance of each value of the teacher's output: the scale of the losses."""

    def __init__(self, teacher_output):
        pick = lambda x: x.float()[teacher_output["valid"]].var(0).clamp(min=1e-4)
        self.of = {key: pick(teacher_output[key]) for key in ("bert", "prosody")}
        self.hidden = [pick(x) for x in teacher_output["hidden"]]

    def loss(self, scale, predicted, target, valid):
        error = (predicted.float() - target.float()).square() / scale
        return (error.mean(-1) * valid).sum() / valid.sum()

    def bert(self, bert_output, hidden, teacher_output):
        valid = teacher_output["valid"].float()
        return {
            "hidden": sum(self.loss(scale, x, y, valid) for scale, x, y in zip(self.hidden, hidden, teacher_output["hidden"])) / len(hidden),
            "bert": self.loss(self.of["bert"], bert_output, teacher_output["bert"], valid),
        }


def bert_losses(reader, ids, teacher_output, variance):
    """The output of PL-BERT only. Used in most steps, since recurrent layers take most of the time."""
    return variance.bert(*reader.bert(ids, teacher_output["valid"]), teacher_output)


def pitch_losses(reader, prosody, style, teacher_output):
    """Pitch and energy against the teacher's. `prosody`: the features of each phoneme, of the teacher or of the reader."""
    frames = teacher_output["frames"].to(style.device)
    inside = (torch.arange(teacher_output["index"].shape[1], device=style.device) < frames[:, None]).float()
    position = position_in_phoneme(teacher_output["counts"], teacher_output["index"])
    voiced, octaves, energy = (x.float() for x in reader.pitch_network(prosody, style[:, 128:], teacher_output["index"], position, inside[..., None], teacher_output["valid"].float()))
    twice = inside.repeat_interleave(2, 1)
    both_voiced = (teacher_output["pitch"] > 30).float() * twice
    target = torch.log2(teacher_output["pitch"].clamp(min=30) / 200)
    terms = {
        "voiced": (F.binary_cross_entropy_with_logits(voiced, (teacher_output["pitch"] > 10).float(), reduction="none") * twice).sum() / twice.sum(),
        "pitch": ((octaves - target).abs() * both_voiced).sum() / both_voiced.sum().clamp(min=1),
        "energy": ((energy - teacher_output["energy"]).abs() * twice).sum() / twice.sum(),
    }
    return terms, {"voiced": voiced, "octaves": octaves, "energy": energy}


def losses_of(reader, durations_of, ids, style, teacher_output, variance):
    """All losses of the reader against the teacher."""
    valid, lengths = teacher_output["valid"].float(), teacher_output["valid"].sum(1).cpu()
    bert_output, hidden = reader.bert(ids, teacher_output["valid"])
    prosody, durations = durations_of(bert_output, style[:, 128:], teacher_output["valid"], lengths)
    pitch_terms, predicted = pitch_losses(reader, prosody, style, teacher_output)
    return {
        **variance.bert(bert_output, hidden, teacher_output),
        "prosody": variance.loss(variance.of["prosody"], prosody, teacher_output["prosody"], valid),
        "durations": (durations - teacher_output["durations"]).abs().sum() / valid.sum(),
        "total_duration": ((durations - teacher_output["durations"]).sum(1).abs() / valid.sum(1)).mean(),
        **pitch_terms,
    }, {**predicted, "durations": durations, "bert": bert_output}


def matching_passes(hidden):
    """The passes of the teacher whose output the layers of the reader imitate."""
    return hidden[TEACHER_PASSES // PASSES - 1 :: TEACHER_PASSES // PASSES]


@torch.no_grad()
def evaluate(reader, teacher, texts, styles, device, count=24):
    """Figures for each language: held-out texts, with voices of their language."""
    random, figures = np.random.default_rng(11), {}
    for language in texts.names:
        selected = [text for text in texts.held_out_texts[language] if 8 < len(text) < 160]
        sums = {}
        add = lambda **values: [sums.setdefault(key, []).append(value) for key, value in values.items()]
        for text in selected[:count]:
            own = [name for name in styles.names if name[0] in PREFIX[language]]
            style = torch.tensor(styles.row(own[random.integers(len(own))], len(text)), device=device)[None]
            ids = torch.tensor(np.concatenate([[0], text, [0]]).astype(np.int64), device=device)[None]
            teacher_output = teacher(ids, torch.tensor([ids.shape[1]]), style)
            teacher_output["hidden"] = matching_passes(teacher_output["hidden"])
            variance = TargetVariance(teacher_output)
            terms, predicted = losses_of(reader, FrozenDurations(teacher), ids, style, teacher_output, variance)
            counts = predicted["durations"].round().clamp(min=1)
            both_voiced = (teacher_output["pitch"] > 30) & (predicted["voiced"] > 0)
            target = torch.log2(teacher_output["pitch"].clamp(min=30) / 200)
            # The mean pitch of each phoneme.
            phoneme_index = teacher_output["index"].repeat_interleave(2, 1)
            total = lambda x: torch.zeros(ids.shape, device=device).scatter_add_(1, phoneme_index, x)
            voiced_count = total(both_voiced.float())
            voiced = voiced_count > 0
            pitch_pairs = [(total(x * both_voiced) / voiced_count.clamp(min=1))[voiced] for x in (predicted["octaves"], target)]
            add(
                off=float((counts - teacher_output["counts"]).abs().sum()), frames=float(teacher_output["counts"].sum()), length=float((counts.sum() - teacher_output["counts"].sum()).abs()),
                voicing=float(((predicted["voiced"] > 0) == (teacher_output["pitch"] > 10)).float().mean()),
                octaves=float((pitch_pairs[0] - pitch_pairs[1]).abs().mean()) if len(pitch_pairs[0]) else 0.0,
                predicted=pitch_pairs[0].cpu().numpy(), target=pitch_pairs[1].cpu().numpy(),
                energy=float(terms["energy"]),
                correlation=float(np.corrcoef(pitch_pairs[0].cpu(), pitch_pairs[1].cpu())[0, 1]) if len(pitch_pairs[0]) > 4 else np.nan,
            )
            bert_output = predicted["bert"].float()
            add(bert_error=float((bert_output - teacher_output["bert"]).square().sum()), bert_total=float((teacher_output["bert"] - teacher_output["bert"].mean(1, keepdim=True)).square().sum()))
        if not sums:
            continue
        figures[language] = {
            "frames_off": sum(sums["off"]) / sum(sums["frames"]), "length_off": sum(sums["length"]) / sum(sums["frames"]),
            "pitch_by_phoneme": float(np.corrcoef(np.concatenate(sums["predicted"]), np.concatenate(sums["target"]))[0, 1]),
            "pitch_within_text": float(np.nanmean(sums["correlation"])), "octaves": float(np.mean(sums["octaves"])), "voicing": float(np.mean(sums["voicing"])),
            "energy": float(np.mean(sums["energy"])), "bert_r2": 1 - sum(sums["bert_error"]) / sum(sums["bert_total"]),
        }
    figures["mean"] = {key: float(np.mean([f[key] for f in figures.values()])) for key in next(iter(figures.values()))}
    return figures


def save(reader, path):
    torch.save({key: value.half() if value.dtype == torch.float32 and value.ndim else value for key, value in reader.state_dict().items()}, path + ".tmp")
    os.replace(path + ".tmp", path)


def main():
    parser = argparse.ArgumentParser()
    for name in ("encoder", "texts", "voices", "out"):
        parser.add_argument(name)
    parser.add_argument("seconds", type=float)
    parser.add_argument("--start")
    parser.add_argument("--tokens", type=int, default=10_000)
    parser.add_argument("--parts", type=int, default=4, help="steps of a batch, of which one goes through the duration predictor")
    parser.add_argument("--pool", type=int, default=16384, help="texts that are sampled and sorted at once")
    parser.add_argument("--workers", type=int, default=5)
    parser.add_argument("--rate", type=float, default=1e-3)
    parser.add_argument("--ema-decay", type=float, default=0.999)
    parser.add_argument("--quantize-after", type=float, default=0.7, help="share of the time after which quantization-aware training starts")
    parser.add_argument("--report", type=int, default=200)
    parser.add_argument("--evaluation-texts", type=int, default=24, help="held-out texts per language")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--small", action="store_true", help="a tiny network, to try the script")
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    torch.manual_seed(SEED)
    torch.backends.cuda.matmul.allow_tf32 = True
    torch.backends.cudnn.allow_tf32 = True
    device = "cuda" if torch.cuda.is_available() else "cpu"
    created_at = time.time()

    import multiprocessing

    context = multiprocessing.get_context("spawn")
    queue = context.Queue(maxsize=24)
    workers = [context.Process(target=produce_batches, args=(queue, options.texts, options.voices, options.seed + 100 * i, options.tokens * options.parts, options.pool), daemon=True) for i in range(options.workers)]
    [worker.start() for worker in workers]
    teacher = Teacher(options.encoder, device)
    durations_of = FrozenDurations(teacher)
    shape = {"width": 32, "hidden": 48, "layers": 2} if options.small else {}
    reader, average = Reader(**shape).to(device), Reader(**shape).to(device).eval()
    variance, step, sums, steps_since_report = None, 0, {}, 0
    if options.start:
        reader = load(options.start, device, **shape)
    else:
        reader.bert.initialize(teacher)
    average.load_state_dict(reader.state_dict())
    rates = [options.rate * 0.4, options.rate * 1.2]
    groups = [{"params": part.parameters(), "lr": rate} for part, rate in zip((reader.bert, reader.pitch_network), rates)]
    optimizer = torch.optim.AdamW(groups, betas=(0.9, 0.98), weight_decay=0.01, fused=device == "cuda")
    print(f"parameters {sum(p.numel() for p in reader.parameters()) / 1e6:.2f} M, ready after {time.time() - created_at:.1f} s", flush=True)
    texts, styles = Texts(options.texts), Styles(options.voices)
    started, reported_at, quantized, saved = time.time(), time.time(), False, time.time()

    def next_batch():
        ids, lengths, style = queue.get()
        return torch.from_numpy(ids.astype(np.int64)).to(device), torch.from_numpy(lengths), torch.from_numpy(style).to(device)

    def with_teacher(ids, lengths, style):
        teacher_output = teacher(ids, lengths, style)
        return ids, style, {**teacher_output, "hidden": matching_passes(teacher_output["hidden"])}

    def split(ids, lengths, style):
        """Splits a batch. The first part goes through the duration predictor; the others train both networks separately."""
        parts = []
        for part in range(options.parts):
            own = [x[part :: options.parts] for x in (ids, lengths, style)]
            if len(own[0]) == 0:
                continue
            own[0] = own[0][:, : int(own[1].max())]
            if part == 0:
                parts.append(with_teacher(*own))
                continue
            _, _, teacher_output = with_teacher(*own)
            parts.append((own[0], own[2], {**teacher_output, "separate": True}))
        return parts

    pending = []
    while time.time() - started < options.seconds:
        if not pending:
            pending = split(*next_batch())[::-1]
        ids, style, teacher_output = pending.pop()
        if variance is None:  # computed from the first texts
            variance = TargetVariance(teacher_output)
        ratio = (time.time() - started) / options.seconds
        decay = 0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * ratio))
        if ratio > options.quantize_after and not quantized:
            quantized = True

            def run_batches():
                with torch.no_grad():
                    for _ in range(4):
                        losses_of(average, durations_of, *with_teacher(*(x[:: options.parts] for x in next_batch())), variance)

            calibrate(average, run_batches)
            for trained, averaged in zip(reader.modules(), average.modules()):
                if hasattr(trained, "log_step"):
                    trained.log_step.data.copy_(averaged.log_step.data)
                    trained.learn = True
            print("   quantization-aware training from this step", flush=True)
        for group, rate in zip(optimizer.param_groups, rates):
            group["lr"] = rate * decay * min(1.0, (step + 1) / 150)
        # With fake quantization, the computation stays in float32.
        with torch.autocast("cuda", torch.bfloat16, enabled=device == "cuda" and not quantized):
            terms = losses_of(reader, durations_of, ids, style, teacher_output, variance)[0] if "separate" not in teacher_output else {**bert_losses(reader, ids, teacher_output, variance), **pitch_losses(reader, teacher_output["prosody"], style, teacher_output)[0]}
        total = sum(WEIGHTS[key] * value for key, value in terms.items())
        optimizer.zero_grad(set_to_none=True)
        total.backward()
        norm = torch.nn.utils.clip_grad_norm_(reader.parameters(), 2.0)
        optimizer.step()
        with torch.no_grad():
            ema_decay = min(options.ema_decay, (step + 1) / (step + 10))
            torch._foreach_lerp_(list(average.parameters()), list(reader.parameters()), 1 - ema_decay)
        step, steps_since_report = step + 1, steps_since_report + 1
        for key, value in {**terms, "norm": norm}.items():
            sums.setdefault(key, []).append(value.detach())
        if step % options.report == 0:
            values = {key: float(torch.stack(value).mean()) for key, value in sums.items()}
            print(f"{step} {time.time() - started:.0f}s {steps_since_report / (time.time() - reported_at):.1f}/s queue {queue.qsize()} " + " ".join(f"{k} {v:.4f}" for k, v in values.items()), flush=True)
            if not math.isfinite(values["durations"]):
                raise SystemExit("the loss is not finite")
            if time.time() - saved > 120:
                save(average, os.path.join(options.out, "reader.pt"))
                figures = evaluate(average, teacher, texts, styles, device, 8)
                print("   held out: " + " ".join(f"{k} {v:.4f}" for k, v in figures["mean"].items()), flush=True)
                saved = time.time()
            sums, steps_since_report, reported_at = {}, 0, time.time()
    save(average, os.path.join(options.out, "reader.pt"))
    figures = evaluate(average, teacher, texts, styles, device, options.evaluation_texts)
    json.dump(figures, open(os.path.join(options.out, "figures.json"), "w"), indent=1)
    for language, values in figures.items():
        print(language, " ".join(f"{k} {v:.4f}" for k, v in values.items()), flush=True)
    print("done", step, flush=True)
    [worker.kill() for worker in workers]


if __name__ == "__main__":
    main()

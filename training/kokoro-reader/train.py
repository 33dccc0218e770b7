"""Trains the reader by distillation: the teacher computes the targets of sampled texts and voices on the same device.

  python train.py ENCODER.npz TEXTS.npz VOICES.npz OUT_FOLDER SECONDS [--start READER.pt]

Writes OUT_FOLDER/reader.pt (averaged weights, float16) every two minutes and at the end, and prints an evaluation on held-out texts.
"""

import argparse
import json
import math
import multiprocessing
import os
import time

import numpy as np
import torch

from sampling import PREFIX, Styles, Texts, batches
from encoder_teacher import Teacher
from reader import PASSES, TEACHER_PASSES, Bert, FrozenPredictors, load
from quantise import calibrate, layers  # reader.py adds its folder to the path

WEIGHTS = {"hidden": 0.5, "bert": 2.0, "prosody": 2.0, "durations": 3.0, "total_duration": 1.0, "pitch": 6.0, "energy": 0.5}
SEED = 5


def produce_batches(queue, texts, voices, seed, tokens, count):
    texts, styles, random = Texts(texts), Styles(voices), np.random.default_rng(seed)
    while True:
        for batch in batches(texts, styles, random, tokens, count):
            queue.put(batch)


class TargetVariance:
    """The variance of each value of the teacher's output: the scale of the losses."""

    def __init__(self, targets):
        pick = lambda x: x.float()[targets["valid"]].var(0).clamp(min=1e-4)
        self.of = {key: pick(targets[key]) for key in ("bert", "prosody")}
        self.hidden = [pick(x) for x in targets["hidden"]]

    def loss(self, scale, predicted, target, valid):
        error = (predicted.float() - target.float()).square() / scale
        return (error.mean(-1) * valid).sum() / valid.sum()

    def bert(self, bert_output, hidden, targets):
        valid = targets["valid"].float()
        return {
            "hidden": sum(self.loss(scale, x, y, valid) for scale, x, y in zip(self.hidden, hidden, targets["hidden"])) / len(hidden),
            "bert": self.loss(self.of["bert"], bert_output, targets["bert"], valid),
        }


def targets_of(teacher, ids, lengths, style=None, pitch=True, **half):
    """The teacher's output: of PL-BERT, and of the predictors where a style is given."""
    valid = teacher.valid(ids, lengths)
    bert_output, hidden = teacher.targets_of_bert(ids, valid, **half)
    predictions = teacher.predictions(bert_output, style, valid, lengths, pitch=pitch) if style is not None else {}
    # The layers of the reader imitate every second pass.
    return {"valid": valid, "bert": bert_output, "hidden": hidden[TEACHER_PASSES // PASSES - 1 :: TEACHER_PASSES // PASSES], **predictions}


def losses_of(bert, predictors, ids, lengths, style, targets, variance):
    """The losses of the reader against the teacher. Without a style, those of PL-BERT only: the recurrent layers of the predictors take most of the time."""
    bert_output, hidden = bert(ids, targets["valid"])
    terms = variance.bert(bert_output, hidden, targets)
    if style is None:
        return terms, {"bert": bert_output}
    valid = targets["valid"].float()
    prosody, durations = predictors.durations(bert_output, style, targets["valid"], lengths)
    terms |= {
        "prosody": variance.loss(variance.of["prosody"], prosody[..., :512], targets["prosody"], valid),
        "durations": (durations - targets["durations"]).abs().sum() / valid.sum(),
        "total_duration": ((durations - targets["durations"]).sum(1).abs() / valid.sum(1)).mean(),
    }
    if "pitch" not in targets:
        return terms, {"bert": bert_output, "durations": durations}
    pitch, energy = predictors.pitch_and_energy(prosody, style, targets["index"], targets["frames"])
    inside = (torch.arange(targets["index"].shape[1], device=ids.device) < targets["frames"].to(ids.device)[:, None]).float().repeat_interleave(2, 1)
    mean = lambda x: (x * inside).sum() / inside.sum()
    # Unvoiced frames have a few hertz.
    terms["pitch"] = mean((pitch - targets["pitch"]).abs() / targets["pitch"].abs().clamp(min=80))
    terms["energy"] = mean((energy - targets["energy"]).abs())
    return terms, {"bert": bert_output, "durations": durations, "pitch": pitch, "inside": inside}


def pitch_by_phoneme(predicted, targets):
    """The mean pitch of each phoneme in octaves, where both are voiced: two arrays."""
    ids_shape, index = targets["valid"].shape, targets["index"].repeat_interleave(2, 1)
    both = (predicted["pitch"] > 30) & (targets["pitch"] > 30) & (predicted["inside"] > 0)
    total = lambda x: torch.zeros(ids_shape, device=index.device).scatter_add_(1, index, x)
    count = total(both.float())
    octaves = lambda hertz: (total(torch.log2(hertz.clamp(min=30) / 200) * both) / count.clamp(min=1))[count > 0].cpu().numpy()
    return octaves(predicted["pitch"]), octaves(targets["pitch"])


@torch.no_grad()
def evaluate(bert, teacher, texts, styles, device, count):
    """Figures for each language: held-out texts, with voices of their language, against the teacher in float32."""
    random, figures = np.random.default_rng(11), {}
    for language in texts.names:
        chosen = [text for text in texts.held_out_texts[language] if 8 < len(text) < 160][:count]
        if not chosen:
            continue
        own = [name for name in styles.names if name[0] in PREFIX[language]]
        style = torch.tensor(np.stack([styles.row(own[random.integers(len(own))], len(text)) for text in chosen]), device=device)
        lengths = torch.tensor([len(text) + 2 for text in chosen])
        ids = torch.zeros(len(chosen), int(lengths.max()), dtype=torch.long, device=device)
        for row, text in zip(ids, chosen):
            row[1 : 1 + len(text)] = torch.tensor(text.astype(np.int64), device=device)
        targets = targets_of(teacher, ids, lengths, style, half=None)
        _, predicted = losses_of(bert, FrozenPredictors(teacher), ids, lengths, style, targets, TargetVariance(targets))
        counts = predicted["durations"].round().clamp(min=1) * targets["valid"]
        pitch = pitch_by_phoneme(predicted, targets)
        valid = targets["valid"][..., None]
        mean = (targets["bert"] * valid).sum(1, keepdim=True) / lengths.to(device)[:, None, None]
        squares = lambda x: float((x.float().square() * valid).sum())
        figures[language] = {
            "frames_off": float((counts - targets["counts"]).abs().sum() / targets["counts"].sum()),
            "length_off": float((counts.sum(1) - targets["counts"].sum(1)).abs().sum() / targets["counts"].sum()),
            "pitch_by_phoneme": float(np.corrcoef(*pitch)[0, 1]), "octaves": float(np.abs(pitch[0] - pitch[1]).mean()),
            "bert_r2": 1 - squares(predicted["bert"] - targets["bert"]) / squares(targets["bert"] - mean),
        }
    figures["mean"] = {key: float(np.mean([f[key] for f in figures.values()])) for key in next(iter(figures.values()))}
    return figures


def save(bert, path):
    torch.save({key: value.half() if value.ndim else value for key, value in bert.state_dict().items()}, path + ".tmp")
    os.replace(path + ".tmp", path)


def main():
    parser = argparse.ArgumentParser()
    for name in ("encoder", "texts", "voices", "out"):
        parser.add_argument(name)
    parser.add_argument("seconds", type=float)
    parser.add_argument("--start")
    parser.add_argument("--tokens", type=int, default=12_000)
    parser.add_argument("--parts", type=int, default=6, help="steps of a batch, of which one goes through the predictors")
    parser.add_argument("--pitch-every", type=int, default=3, help="batches, of which one goes through the predictors of pitch and energy, which take longest")
    parser.add_argument("--pool", type=int, default=16384, help="texts that are sampled and sorted at once")
    parser.add_argument("--workers", type=int, default=12)
    parser.add_argument("--rate", type=float, default=4e-4)
    parser.add_argument("--ema-decay", type=float, default=0.999)
    parser.add_argument("--quantize-after", type=float, default=0.6, help="share of the time after which quantization-aware training starts")
    parser.add_argument("--report", type=int, default=500)
    parser.add_argument("--evaluation-texts", type=int, default=60, help="held-out texts per language")
    parser.add_argument("--seed", type=int, default=SEED)
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    torch.manual_seed(SEED)
    torch.backends.cuda.matmul.allow_tf32 = True
    torch.backends.cudnn.allow_tf32 = True
    device = "cuda" if torch.cuda.is_available() else "cpu"
    created_at = time.time()
    context = multiprocessing.get_context("spawn")
    queue = context.Queue(maxsize=24)
    workers = [context.Process(target=produce_batches, args=(queue, options.texts, options.voices, options.seed + 100 * i, options.tokens * options.parts, options.pool), daemon=True) for i in range(options.workers)]
    [worker.start() for worker in workers]

    def next_batch():
        ids, lengths, style = queue.get()
        return torch.from_numpy(ids.astype(np.int64)).to(device), torch.from_numpy(lengths), torch.from_numpy(style).to(device)

    teacher = Teacher(options.encoder, device)
    predictors = FrozenPredictors(teacher)
    bert, average = Bert().to(device), Bert().to(device).eval()
    if options.start:
        bert = load(options.start, device)
    else:
        ids, lengths, _ = next_batch()
        bert.initialize(teacher, ids, teacher.valid(ids, lengths))
    average.load_state_dict(bert.state_dict())
    optimizer = torch.optim.AdamW(bert.parameters(), lr=options.rate, betas=(0.9, 0.98), weight_decay=0.01, fused=device == "cuda")
    texts, styles = Texts(options.texts), Styles(options.voices)
    report_figures = lambda figures: print("   held out: " + " ".join(f"{k} {v:.4f}" for k, v in figures["mean"].items()), flush=True)
    print(f"parameters {sum(p.numel() for p in bert.parameters()) / 1e6:.2f} M, ready after {time.time() - created_at:.1f} s", flush=True)
    report_figures(evaluate(average, teacher, texts, styles, device, options.evaluation_texts))
    variance, step, sums, steps_since_report = None, 0, {}, 0
    started, reported_at, quantized, saved = time.time(), time.time(), False, time.time()

    def split(ids, lengths, style, with_pitch):
        """Splits a batch. The first part goes through the predictors."""
        for part in range(options.parts):
            own_lengths = lengths[part :: options.parts]
            if len(own_lengths):
                own_style = style[part :: options.parts] if part == 0 else None
                own_ids = ids[part :: options.parts, : int(own_lengths.max())]
                yield own_ids, own_lengths, own_style, targets_of(teacher, own_ids, own_lengths, own_style, with_pitch)

    def start_quantization():
        def run_batches():
            with torch.no_grad():
                for _ in range(4):
                    ids, lengths, _ = next_batch()
                    average(ids, teacher.valid(ids, lengths))

        calibrate(average, run_batches)
        for trained, averaged in zip(layers(bert), layers(average)):
            trained.log_step.data.copy_(averaged.log_step.data)
            trained.learn = True
        print("   quantization-aware training from this step", flush=True)

    pending, batch = iter(()), 0
    while time.time() - started < options.seconds:
        item = next(pending, None)
        if item is None:
            pending, batch = split(*next_batch(), batch % options.pitch_every == 0), batch + 1
            continue
        if variance is None:  # computed from the first texts
            variance = TargetVariance(item[3])
        ratio = (time.time() - started) / options.seconds
        if ratio > options.quantize_after and not quantized:
            quantized = True
            start_quantization()
        for group in optimizer.param_groups:
            group["lr"] = options.rate * (0.005 + 0.995 * 0.5 * (1 + math.cos(math.pi * ratio))) * min(1.0, (step + 1) / 150)
        # With fake quantization, the computation stays in float32.
        with torch.autocast("cuda", torch.bfloat16, enabled=device == "cuda" and not quantized):
            terms, _ = losses_of(bert, predictors, *item, variance)
        total = sum(WEIGHTS[key] * value for key, value in terms.items())
        optimizer.zero_grad(set_to_none=True)
        total.backward()
        norm = torch.nn.utils.clip_grad_norm_(bert.parameters(), 2.0)
        optimizer.step()
        with torch.no_grad():
            ema_decay = min(options.ema_decay, (step + 1) / (step + 10))
            torch._foreach_lerp_(list(average.parameters()), list(bert.parameters()), 1 - ema_decay)
        step, steps_since_report = step + 1, steps_since_report + 1
        for key, value in {**terms, "norm": norm}.items():
            sums.setdefault(key, []).append(value.detach())
        if step % options.report == 0:
            values = {key: float(torch.stack(value).mean()) for key, value in sums.items()}
            print(f"{step} {time.time() - started:.0f}s {steps_since_report / (time.time() - reported_at):.1f}/s queue {queue.qsize()} " + " ".join(f"{k} {v:.4f}" for k, v in values.items()), flush=True)
            if not math.isfinite(values["bert"]):
                raise SystemExit("the loss is not finite")
            if time.time() - saved > 120:
                save(average, os.path.join(options.out, "reader.pt"))
                report_figures(evaluate(average, teacher, texts, styles, device, options.evaluation_texts))
                saved = time.time()
            sums, steps_since_report, reported_at = {}, 0, time.time()
    save(average, os.path.join(options.out, "reader.pt"))
    figures = evaluate(average, teacher, texts, styles, device, 2 * options.evaluation_texts)
    json.dump(figures, open(os.path.join(options.out, "figures.json"), "w"), indent=1)
    for language, values in figures.items():
        print(language, " ".join(f"{k} {v:.4f}" for k, v in values.items()), flush=True)
    print("done", step, flush=True)
    [worker.kill() for worker in workers]


if __name__ == "__main__":
    main()

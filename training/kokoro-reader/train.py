"""Trains the reader on whatever its teacher says of drawn texts and voices, both on the device.

  python train.py ENCODER.npz TEXTS.npz VOICES.npz OUT_FOLDER SECONDS [--start READER.pt]

Writes OUT_FOLDER/reader.pt (averaged weights, float16) every minute and at the end, and figures on texts that were held out.
"""

import argparse
import json
import math
import os
import time

import numpy as np
import torch
import torch.nn.functional as F

from draw import PREFIX, Styles, Texts, batches
from encoder_teacher import Teacher
from reader import PASSES, TEACHER_PASSES, Kept, Reader, load, within
from quantise import calibrate  # reader.py adds its folder to the path

WEIGHTS = {"inner": 0.5, "known": 2.0, "said": 2.0, "lasting": 2.0, "length": 1.0, "voiced": 1.0, "pitch": 6.0, "energy": 0.5}
SEED = 5


def supply(queue, texts, voices, seed, tokens, count):
    texts, styles, random = Texts(texts), Styles(voices), np.random.default_rng(seed)
    while True:
        for batch in batches(texts, styles, random, tokens, count):
            queue.put(batch)


class Levels:
    """How much what the teacher gives varies, number by number."""

    def __init__(self, said):
        pick = lambda x: x.float()[said["valid"]].var(0).clamp(min=1e-4)
        self.of = {key: pick(said[key]) for key in ("known", "said")}
        self.inner = [pick(x) for x in said["inner"]]

    def loss(self, level, made, wanted, valid):
        apart = (made.float() - wanted.float()).square() / level
        return (apart.mean(-1) * valid).sum() / valid.sum()

    def bert(self, known, inner, said):
        valid = said["valid"].float()
        return {
            "inner": sum(self.loss(level, x, y, valid) for level, x, y in zip(self.inner, inner, said["inner"])) / len(inner),
            "known": self.loss(self.of["known"], known, said["known"], valid),
        }


def bert_terms(reader, ids, said, levels):
    """Only what PL-BERT gives: for most steps, since recurrent layers take most of the time."""
    return levels.bert(*reader.bert(ids, said["valid"]), said)


def melody_terms(reader, spoken, style, said):
    """Pitch and energy against the teacher's; `spoken` is how each phoneme is spoken, by the teacher or by the reader."""
    frames = said["frames"].to(style.device)
    there = (torch.arange(said["index"].shape[1], device=style.device) < frames[:, None]).float()
    place = within(said["counts"], said["index"])
    voiced, octaves, energy = (x.float() for x in reader.melody(spoken, style[:, 128:], said["index"], place, there[..., None], said["valid"].float()))
    twice = there.repeat_interleave(2, 1)
    heard = (said["pitch"] > 30).float() * twice
    wanted = torch.log2(said["pitch"].clamp(min=30) / 200)
    terms = {
        "voiced": (F.binary_cross_entropy_with_logits(voiced, (said["pitch"] > 10).float(), reduction="none") * twice).sum() / twice.sum(),
        "pitch": ((octaves - wanted).abs() * heard).sum() / heard.sum().clamp(min=1),
        "energy": ((energy - said["energy"]).abs() * twice).sum() / twice.sum(),
    }
    return terms, {"voiced": voiced, "octaves": octaves, "energy": energy}


def terms_of(reader, kept, ids, style, said, levels):
    """What the reader gives, against the teacher."""
    valid, lengths = said["valid"].float(), said["valid"].sum(1).cpu()
    known, inner = reader.bert(ids, said["valid"])
    spoken, lasting = kept(known, style[:, 128:], said["valid"], lengths)
    melody, made = melody_terms(reader, spoken, style, said)
    return {
        **levels.bert(known, inner, said),
        "said": levels.loss(levels.of["said"], spoken, said["said"], valid),
        "lasting": (lasting - said["lasting"]).abs().sum() / valid.sum(),
        "length": ((lasting - said["lasting"]).sum(1).abs() / valid.sum(1)).mean(),
        **melody,
    }, {**made, "lasting": lasting, "known": known}


def third_passes(inner):
    """The reader's layers answer to every so many-th pass of the teacher."""
    return inner[TEACHER_PASSES // PASSES - 1 :: TEACHER_PASSES // PASSES]


@torch.no_grad()
def evaluate(reader, teacher, texts, styles, device, count=24):
    """Held-out texts by voices of their language, language by language."""
    random, figures = np.random.default_rng(11), {}
    for language in texts.names:
        held = [text for text in texts.held[language] if 8 < len(text) < 160]
        sums = {}
        add = lambda **values: [sums.setdefault(key, []).append(value) for key, value in values.items()]
        for text in held[:count]:
            own = [name for name in styles.names if name[0] in PREFIX[language]]
            style = torch.tensor(styles.row(own[random.integers(len(own))], len(text)), device=device)[None]
            ids = torch.tensor(np.concatenate([[0], text, [0]]).astype(np.int64), device=device)[None]
            said = teacher(ids, torch.tensor([ids.shape[1]]), style)
            said["inner"] = third_passes(said["inner"])
            levels = Levels(said)
            terms, made = terms_of(reader, Kept(teacher), ids, style, said, levels)
            counts = made["lasting"].round().clamp(min=1)
            heard = (said["pitch"] > 30) & (made["voiced"] > 0)
            wanted = torch.log2(said["pitch"].clamp(min=30) / 200)
            # The mean pitch of each phoneme.
            owner = said["index"].repeat_interleave(2, 1)
            total = lambda x: torch.zeros(ids.shape, device=device).scatter_add_(1, owner, x)
            number = total(heard.float())
            voiced = number > 0
            both = [(total(x * heard) / number.clamp(min=1))[voiced] for x in (made["octaves"], wanted)]
            add(
                off=float((counts - said["counts"]).abs().sum()), frames=float(said["counts"].sum()), length=float((counts.sum() - said["counts"].sum()).abs()),
                voicing=float(((made["voiced"] > 0) == (said["pitch"] > 10)).float().mean()),
                octaves=float((both[0] - both[1]).abs().mean()) if len(both[0]) else 0.0,
                made=both[0].cpu().numpy(), wanted=both[1].cpu().numpy(),
                energy=float(terms["energy"]),
                inner=float(np.corrcoef(both[0].cpu(), both[1].cpu())[0, 1]) if len(both[0]) > 4 else np.nan,
            )
            known = made["known"].float()
            add(known_error=float((known - said["known"]).square().sum()), known_all=float((said["known"] - said["known"].mean(1, keepdim=True)).square().sum()))
        if not sums:
            continue
        figures[language] = {
            "frames_off": sum(sums["off"]) / sum(sums["frames"]), "length_off": sum(sums["length"]) / sum(sums["frames"]),
            "pitch_by_phoneme": float(np.corrcoef(np.concatenate(sums["made"]), np.concatenate(sums["wanted"]))[0, 1]),
            "pitch_within_text": float(np.nanmean(sums["inner"])), "octaves": float(np.mean(sums["octaves"])), "voicing": float(np.mean(sums["voicing"])),
            "energy": float(np.mean(sums["energy"])), "known_r2": 1 - sum(sums["known_error"]) / sum(sums["known_all"]),
        }
    figures["mean"] = {key: float(np.mean([f[key] for f in figures.values()])) for key in next(iter(figures.values()))}
    return figures


def save(reader, path):
    torch.save({key: value.half() if value.dtype == torch.float32 and value.ndim else value for key, value in reader.state_dict().items()}, path + ".tmp")
    os.replace(path + ".tmp", path)


def main():
    parse = argparse.ArgumentParser()
    for name in ("encoder", "texts", "voices", "out"):
        parse.add_argument(name)
    parse.add_argument("seconds", type=float)
    parse.add_argument("--start")
    parse.add_argument("--tokens", type=int, default=10_000)
    parse.add_argument("--parts", type=int, default=4, help="steps of a batch, of which one goes through the duration predictor")
    parse.add_argument("--pool", type=int, default=16384, help="texts that are drawn and sorted at once")
    parse.add_argument("--workers", type=int, default=5)
    parse.add_argument("--rate", type=float, default=1e-3)
    parse.add_argument("--keep", type=float, default=0.999)
    parse.add_argument("--coarse", type=float, default=0.7, help="share of the time after which eight bits are learned")
    parse.add_argument("--report", type=int, default=200)
    parse.add_argument("--held", type=int, default=24)
    parse.add_argument("--seed", type=int, default=SEED)
    parse.add_argument("--small", action="store_true", help="a tiny network, to try the script")
    options = parse.parse_args()
    os.makedirs(options.out, exist_ok=True)
    torch.manual_seed(SEED)
    torch.backends.cuda.matmul.allow_tf32 = True
    torch.backends.cudnn.allow_tf32 = True
    device = "cuda" if torch.cuda.is_available() else "cpu"
    begun = time.time()

    import multiprocessing

    context = multiprocessing.get_context("spawn")
    queue = context.Queue(maxsize=24)
    workers = [context.Process(target=supply, args=(queue, options.texts, options.voices, options.seed + 100 * i, options.tokens * options.parts, options.pool), daemon=True) for i in range(options.workers)]
    [worker.start() for worker in workers]
    teacher = Teacher(options.encoder, device)
    kept = Kept(teacher)
    shape = {"width": 32, "hidden": 48, "layers": 2} if options.small else {}
    reader, average = Reader(**shape).to(device), Reader(**shape).to(device).eval()
    levels, step, sums, counted = None, 0, {}, 0
    if options.start:
        reader = load(options.start, device, **shape)
    else:
        reader.bert.begin(teacher)
    average.load_state_dict(reader.state_dict())
    rates = [options.rate * 0.4, options.rate * 1.2]
    parts = [{"params": part.parameters(), "lr": rate} for part, rate in zip((reader.bert, reader.melody), rates)]
    optimizer = torch.optim.AdamW(parts, betas=(0.9, 0.98), weight_decay=0.01, fused=device == "cuda")
    print(f"parameters {sum(p.numel() for p in reader.parameters()) / 1e6:.2f} M, ready after {time.time() - begun:.1f} s", flush=True)
    texts, styles = Texts(options.texts), Styles(options.voices)
    started, paced, coarse, saved = time.time(), time.time(), False, time.time()

    def next_batch():
        ids, lengths, style = queue.get()
        return torch.from_numpy(ids.astype(np.int64)).to(device), torch.from_numpy(lengths), torch.from_numpy(style).to(device)

    def whole(ids, lengths, style):
        said = teacher(ids, lengths, style)
        return ids, style, {**said, "inner": third_passes(said["inner"])}

    def shared(ids, lengths, style):
        """A batch in several. The first goes through the duration predictor, the others train both networks on their own."""
        made = []
        for part in range(options.parts):
            own = [x[part :: options.parts] for x in (ids, lengths, style)]
            if len(own[0]) == 0:
                continue
            own[0] = own[0][:, : int(own[1].max())]
            if part == 0:
                made.append(whole(*own))
                continue
            _, _, said = whole(*own)
            made.append((own[0], own[2], {**said, "alone": True}))
        return made

    waiting = []
    while time.time() - started < options.seconds:
        if not waiting:
            waiting = shared(*next_batch())[::-1]
        ids, style, said = waiting.pop()
        if levels is None:  # of the first texts
            levels = Levels(said)
        ratio = (time.time() - started) / options.seconds
        fade = 0.01 + 0.99 * 0.5 * (1 + math.cos(math.pi * ratio))
        if ratio > options.coarse and not coarse:
            coarse = True

            def listen():
                with torch.no_grad():
                    for _ in range(4):
                        terms_of(average, kept, *whole(*(x[:: options.parts] for x in next_batch())), levels)

            calibrate(average, listen)
            for mine, theirs in zip(reader.modules(), average.modules()):
                if hasattr(mine, "log_step"):
                    mine.log_step.data.copy_(theirs.log_step.data)
                    mine.learn = True
            print("   eight bits from here on", flush=True)
        for group, rate in zip(optimizer.param_groups, rates):
            group["lr"] = rate * fade * min(1.0, (step + 1) / 150)
        # Once eight bits are learned, no other rounding may disturb.
        with torch.autocast("cuda", torch.bfloat16, enabled=device == "cuda" and not coarse):
            terms = terms_of(reader, kept, ids, style, said, levels)[0] if "alone" not in said else {**bert_terms(reader, ids, said, levels), **melody_terms(reader, said["said"], style, said)[0]}
        total = sum(WEIGHTS[key] * value for key, value in terms.items())
        optimizer.zero_grad(set_to_none=True)
        total.backward()
        norm = torch.nn.utils.clip_grad_norm_(reader.parameters(), 2.0)
        optimizer.step()
        with torch.no_grad():
            keep = min(options.keep, (step + 1) / (step + 10))
            torch._foreach_lerp_(list(average.parameters()), list(reader.parameters()), 1 - keep)
        step, counted = step + 1, counted + 1
        for key, value in {**terms, "norm": norm}.items():
            sums.setdefault(key, []).append(value.detach())
        if step % options.report == 0:
            values = {key: float(torch.stack(value).mean()) for key, value in sums.items()}
            print(f"{step} {time.time() - started:.0f}s {counted / (time.time() - paced):.1f}/s queue {queue.qsize()} " + " ".join(f"{k} {v:.4f}" for k, v in values.items()), flush=True)
            if not math.isfinite(values["lasting"]):
                raise SystemExit("lost: the loss is no number")
            if time.time() - saved > 120:
                save(average, os.path.join(options.out, "reader.pt"))
                figures = evaluate(average, teacher, texts, styles, device, 8)
                print("   held out: " + " ".join(f"{k} {v:.4f}" for k, v in figures["mean"].items()), flush=True)
                saved = time.time()
            sums, counted, paced = {}, 0, time.time()
    save(average, os.path.join(options.out, "reader.pt"))
    figures = evaluate(average, teacher, texts, styles, device, options.held)
    json.dump(figures, open(os.path.join(options.out, "figures.json"), "w"), indent=1)
    for language, values in figures.items():
        print(language, " ".join(f"{k} {v:.4f}" for k, v in values.items()), flush=True)
    print("done", step, flush=True)
    [worker.kill() for worker in workers]


if __name__ == "__main__":
    main()

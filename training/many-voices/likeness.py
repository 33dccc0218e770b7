"""How like its speaker a voice of the encoder is: for people, readers and Piper's speakers that nothing was learned from."""

import torch
import torch.nn as nn

import measure  # which also finds what stands beside this folder
import student as st
from judge import Judge
from listener import RATE as LISTENED, resampled
from losses import MelLoss
from voices import CHUNK
from waves import waves_of

TEXTS = 4


def direction(vectors):
    return nn.functional.normalize(vectors, dim=-1)


def figures(found, true):
    likeness = found @ true.T
    own = likeness.diagonal()
    first = (likeness.argmax(1) == torch.arange(len(own), device=own.device)).float().mean()
    return f"{own.mean():.3f} least {own.min():.2f} first {first:.2f}"


class Likeness:
    def __init__(self, training, held):
        self.training, self.device = training, training.device
        groups = {"readers": [], "people": []}
        for name, pair in training.people.held.items():
            groups[name.split("/")[0]].append((*pair, training.people.shown[name]))
        mean = lambda rows: direction(rows[:, :128].sum(0))
        heard = training.piper_heard[0].view(-1, training.each, 129)
        groups["piper"] = [(torch.cat([mean(heard[i, :3]), heard[i, :3, 128].nanmedian()[None]]), mean(heard[i, 3:]), None) for i in held]
        self.groups = {name: [*zip(*rows)] for name, rows in groups.items() if rows}
        self.texts = {
            "en": [i for i, name in enumerate(training.languages) if name == "en-us"],
            "fr": [i for i, name in enumerate(training.languages) if name == "fr-fr"],
            "others": [i for i, name in enumerate(training.languages) if not name.startswith(("en", "fr"))],
        }
        self.judge = None
        if training.options.judge:
            self.judge = Judge().to(self.device)
            self.judge.load_state_dict(torch.load(training.options.judge, map_location=self.device, weights_only=True))
            self.judge.float().eval()

    def group(self, name):
        given, true, shown = self.groups[name]
        return torch.stack(given), torch.stack(true), shown

    def said(self, given, language):
        """Texts whose pitch is near theirs."""
        pitch, texts = given[:, 128].nan_to_num(7.3), torch.tensor(self.texts[language][:400], device=self.device)
        near = (self.training.stock.median[texts][None] - pitch[:, None]).abs().argsort(1)
        return texts[near[:, :TEXTS]], pitch

    def speech(self, style, said, pitch):
        """One text of each, at 24 kHz."""
        training = self.training
        style = style + training.mean_encoder.spread * training.mean_offsets(training.language[said])
        return waves_of(training.average, training.stock, said, torch.zeros_like(said), 2 * CHUNK, style, 2 ** (pitch - training.stock.median[said]))

    def waves(self, style, said, pitch):
        """The same at 8 kHz."""
        return resampled(self.speech(style, said, pitch), LISTENED / st.RATE)

    def misheard(self, style, said, pitch):
        """How far the sounds are from those that were to be said, of each."""
        off = [self.training.words(self.speech(style, said[:, k], pitch), self.training.stock.token[said[:, k]]) for k in range(said.shape[1])]
        return torch.stack(off).mean(0)

    def heard(self, style, said, pitch):
        return direction(sum(self.training.listener(self.waves(style, said[:, k], pitch)) for k in range(said.shape[1])))

    @torch.no_grad()
    def judged(self, style, given, true, shown):
        result = {}
        for language in self.texts:
            said, pitch = self.said(given, language)
            off = self.misheard(style, said, pitch)
            result[language] = f"{figures(self.heard(style, said, pitch), true)} words {off.mean():.3f} most {off.max():.2f}"
            if self.judge and shown[0] is not None:
                ours = direction(sum(self.judge(self.waves(style, said[:, k], pitch)) for k in range(TEXTS)))
                theirs = torch.stack([direction(self.judge(waves).sum(0)) for waves in shown])
                result[f"{language} judge"] = figures(ours, theirs)
        return result

    @torch.no_grad()
    def validate(self):
        training, result = self.training, {}
        for name in self.groups:
            given, true, shown = self.group(name)
            result[name] = self.judged(training.mean_encoder(given), given, true, shown)
        rows = torch.arange(96, device=self.device) * (len(training.styles) // 96)
        says = lambda student: waves_of(student, training.stock, rows, torch.zeros_like(rows), 2 * CHUNK, training.styles[rows, : st.STYLE])
        waves = [says(student) for student in (training.old, training.average, training.old)]
        vectors = [training.listener(resampled(wave, LISTENED / st.RATE)) for wave in waves]
        mel, alike = MelLoss(self.device), (vectors[0] * vectors[1]).sum(1)
        result["stock"] = f"{alike.mean():.4f} least {alike.min():.3f} mel {mel(waves[1], waves[0]):.4f} (noise alone {mel(waves[2], waves[0]):.4f})"
        return result

"""Evaluation: the similarity of encoded voices to their speakers, and the token errors, for held-out people, readers and speakers of Piper."""

import torch
import torch.nn as nn

import paths  # noqa: F401  adds the other folders to the import path
import student as st
from speaker_network import load_network
from speaker_features import RATE as FEATURE_RATE, resampled
from losses import MelLoss
from encoder import FEATURES, PITCH, XVECTOR
from speaker_input import mean_input
from training_data import CHUNK
from synthesis import synthesize_chunks

TEXTS = 4


def unit_vectors(vectors):
    return nn.functional.normalize(vectors, dim=-1)


def cosine_summary(found, reference):
    """`margin`: the cosine to the own speaker minus that to the most similar other one."""
    cosines = found @ reference.T
    same = cosines.diagonal()
    margin = same - cosines.masked_fill(torch.eye(len(same), dtype=torch.bool, device=same.device), -1).amax(1)
    return f"{same.mean():.3f} minimum {same.min():.2f} nearest {(margin > 0).float().mean():.2f} margin {margin.mean():.3f}"


class Evaluation:
    def __init__(self, training, held_out):
        self.training, self.device = training, training.device
        groups = {"readers": [], "people": []}
        for name, pair in training.people.held_out.items():
            groups[name.split("/")[0]].append((*pair, training.people.recordings[name]))
        piper = training.piper_features[0].view(-1, training.excerpts, FEATURES)
        groups["piper"] = [(mean_input(piper[i, :3]), mean_input(piper[i, 3:])[XVECTOR], None) for i in held_out]
        self.groups = {name: [*zip(*rows)] for name, rows in groups.items() if rows}
        learned = set(training.learned_chunks.tolist())
        texts_of = lambda belongs: [i for i, name in enumerate(training.languages) if i in learned and belongs(name[:2])]
        self.texts = {
            "en": texts_of(lambda name: name == "en"),
            "fr": texts_of(lambda name: name == "fr"),
            "it": texts_of(lambda name: name == "it"),
            "others": texts_of(lambda name: name not in ("en", "fr", "it")),
        }
        judge = training.options.judge
        self.network = load_network(judge, self.device) if judge else None

    def group(self, name):
        given, reference, recordings = self.groups[name]
        return torch.stack(given), torch.stack(reference), recordings

    def texts_for(self, given, language):
        """Texts of the stock voices whose pitch is nearest to that of each speaker: rows of the stock chunks."""
        pitch, texts = given[:, PITCH].nan_to_num(7.3), torch.tensor(self.texts[language][:400], device=self.device)
        near = (self.training.stock.median[texts][None] - pitch[:, None]).abs().argsort(1)
        return texts[near[:, :TEXTS]], pitch

    def speech(self, style, rows, pitch):
        """One text per speaker, at 24 kHz."""
        training = self.training
        style = style + training.average_encoder.spread * training.average_offsets(training.language[rows])
        return synthesize_chunks(training.average, training.stock, rows, torch.zeros_like(rows), 2 * CHUNK, style, 2 ** (pitch - training.stock.median[rows]))

    def waves(self, style, rows, pitch):
        """The same at 8 kHz."""
        return resampled(self.speech(style, rows, pitch), FEATURE_RATE / st.RATE)

    def recognition_errors(self, style, rows, pitch):
        """The mean cross-entropy of the tokens of each speaker, and the mean distance of Whisper's features from those of a native voice."""
        training, errors, distances = self.training, [], []
        for row in rows.T:
            wave = self.speech(style, row, pitch)
            errors.append(training.token_loss(wave, training.stock.token[row]))
            distances.append(training.recognizer_loss(wave, training.stock_wave[row].float() / 32767, st.RATE))
        return torch.stack(errors).mean(0), torch.stack(distances).mean()

    def xvectors(self, style, rows, pitch):
        return unit_vectors(sum(self.training.xvectors(self.waves(style, rows[:, k], pitch)) for k in range(rows.shape[1])))

    @torch.no_grad()
    def figures(self, style, given, reference, recordings):
        result = {}
        for language in self.texts:
            rows, pitch = self.texts_for(given, language)
            errors, distance = self.recognition_errors(style, rows, pitch)
            result[language] = f"{cosine_summary(self.xvectors(style, rows, pitch), reference)} tokens {errors.mean():.3f} maximum {errors.max():.2f} recognizer {distance:.3f}"
            if self.network and recordings[0] is not None:
                clone_vectors = unit_vectors(sum(self.network(self.waves(style, rows[:, k], pitch)) for k in range(TEXTS)))
                speaker_vectors = torch.stack([unit_vectors(self.network(waves).sum(0)) for waves in recordings])
                result[f"{language} second network"] = cosine_summary(clone_vectors, speaker_vectors)
        return result

    @torch.no_grad()
    def validate(self):
        training, result = self.training, {}
        for name in self.groups:
            given, reference, recordings = self.group(name)
            result[name] = self.figures(training.average_encoder(given), given, reference, recordings)
        rows = torch.arange(96, device=self.device) * (len(training.styles) // 96)
        speak = lambda student: synthesize_chunks(student, training.stock, rows, torch.zeros_like(rows), 2 * CHUNK, training.styles[rows, : st.STYLE])
        waves = [speak(student) for student in (training.original, training.average, training.original)]
        vectors = [training.xvectors(resampled(wave, FEATURE_RATE / st.RATE)) for wave in waves]
        mel, cosine = MelLoss(self.device), (vectors[0] * vectors[1]).sum(1)
        result["stock"] = f"{cosine.mean():.4f} minimum {cosine.min():.3f} mel {mel(waves[1], waves[0]):.4f} (noise alone {mel(waves[2], waves[0]):.4f})"
        return result

"""Turns sentences into Kokoro's token ids: those of the engine where there are any, the others by espeak-ng.

  python phonemes.py SENTENCES.jsonl TOKENIZER.json LIBESPEAK.so ESPEAK_DATA_PARENT OUT.npz ENGINE.jsonl

ENGINE.jsonl is the output of phonemes.ts. English, Japanese and Chinese are taken from it only. For the others espeak-ng is called clause by
clause and without the engine's reading of numbers: much faster, and accurate enough for training.
"""

import ctypes
import json
import re
import sys
import unicodedata

import numpy as np

SPELLING = {"aɪ": "I", "aʊ": "W", "eɪ": "A", "oʊ": "O", "əʊ": "Q", "ɔɪ": "Y", "dʒ": "ʤ", "tʃ": "ʧ", "ts": "ʦ", "dz": "ʣ"}
VOICES = {"fr-fr": "fr"}
LANGUAGES = ("en-us", "en-gb", "es", "fr-fr", "it", "pt-br", "hi", "ja", "zh", "de", "id")
MAX_TOKENS = 510


class Espeak:
    def __init__(self, library, data):
        self.library = ctypes.CDLL(library)
        self.library.espeak_TextToPhonemes.restype = ctypes.c_char_p
        if self.library.espeak_Initialize(1, 0, data.encode(), 0) < 0:
            raise SystemExit("espeak-ng did not start")
        self.voice = None

    def groups(self, clause, language):
        """Words of a clause, each a list of phonemes."""
        if self.voice != language:
            if self.library.espeak_SetVoiceByName(VOICES.get(language, language).encode()) != 0:
                raise SystemExit(f"espeak-ng has no language {language}")
            self.voice = language
        text = ctypes.c_char_p(clause.encode())
        phonemes = []
        while text.value:
            # UTF-8 in; IPA out, "_" between phonemes.
            phonemes.append(self.library.espeak_TextToPhonemes(ctypes.byref(text), 1, 0x02 | ord("_") << 8).decode())
        phonemes = re.sub(r"\([a-z-]+\)", "", " ".join(phonemes))
        return [group for group in ([p for p in word.split("_") if p not in ("", "-")] for word in phonemes.split()) if group]


def spell(phonemes):
    result = ""
    for phoneme in phonemes:
        stress = re.match("[ˈˌ]*", phoneme).group()
        sound = phoneme[len(stress):]
        result += stress + SPELLING.get(sound, SPELLING.get(sound.replace("ː", ""), sound))
    return result


def by_espeak(espeak, text, language):
    """"kˈæt, dˈɔɡ." """
    result = []
    for clause, mark in re.findall(r"([^,;:.!?…—–\"“”()।]*)([,;:.!?…—–\"“”()।]*\s*)", text):
        words = espeak.groups(clause, language) if clause.strip() else []
        if words:
            result.append(" ".join(spell(word) for word in words))
        mark = mark.strip().replace("।", ".").replace("–", "—")
        if mark and result:
            result[-1] += mark
    return " ".join(result)


def main(sentences, tokenizer, library, data, result, engine):
    vocabulary = json.load(open(tokenizer))["model"]["vocab"]
    espeak = Espeak(library, data)
    texts = {language: [] for language in LANGUAGES}

    def add(language, phonemes):
        ids = [vocabulary[c] for c in unicodedata.normalize("NFD", phonemes) if c in vocabulary]
        if 1 < len(ids) <= MAX_TOKENS:
            texts[language].append(np.array(ids, np.uint8))

    for line in open(sentences):
        item = json.loads(line)
        if item["language"] not in ("en-us", "ja", "zh"):
            add(item["language"], by_espeak(espeak, item["text"], item["language"]))
    for line in open(engine):
        item = json.loads(line)
        add(item["language"], item["phonemes"])
    for language in LANGUAGES:
        print(language, len(texts[language]), sum(map(len, texts[language])), flush=True)
    all_texts = [(index, ids) for index, language in enumerate(LANGUAGES) for ids in texts[language]]
    np.savez_compressed(
        result,
        ids=np.concatenate([ids for _, ids in all_texts]),
        lengths=np.array([len(ids) for _, ids in all_texts], np.uint16),
        language=np.array([index for index, _ in all_texts], np.uint8),
        languages=np.array(LANGUAGES),
    )


if __name__ == "__main__":
    main(*sys.argv[1:])

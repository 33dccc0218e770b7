"""Turns sentences into Kokoro's token ids: by espeak-ng as the engine does, English also by a pronunciation lexicon.

  python phonemes.py SENTENCES.jsonl TOKENIZER.json LIBESPEAK.so ESPEAK_DATA_PARENT OUT.npz [LEXICON_FOLDER] [CJK.jsonl]

It follows packages/speech/src/engines/kokoro/alphabet.ts, but clause by clause and without the engine's reading of numbers:
much faster, and accurate enough for training. LEXICON_FOLDER contains {us,gb}_{gold,silver}.json.gz. CJK.jsonl is the output of cjk.ts.
"""

import ctypes
import gzip
import json
import os
import random
import re
import sys
import unicodedata

import numpy as np

EVERYWHERE = {"aɪ": "I", "aʊ": "W", "eɪ": "A", "oʊ": "O", "əʊ": "Q", "ɔɪ": "Y", "dʒ": "ʤ", "tʃ": "ʧ", "ts": "ʦ", "dz": "ʣ"}
ENGLISH = {**EVERYWHERE, "əl": "ᵊl", "ɐ": "ə", "r": "ɹ", "x": "k", "ç": "k", "ɬ": "l", "ʔ": "t"}
AMERICAN = {**ENGLISH, "ɚ": "əɹ", "ɜː": "ɜɹ", "ɪə": "iə", "ɾ": "T", "o": "ɔ", "e": "A"}
BRITISH = {**ENGLISH, "eə": "ɛː", "iə": "ɪə", "a": "æ"}
SPELLINGS = {"en-us": AMERICAN, "en-gb": BRITISH}
VOICES = {"en-gb": "en", "fr-fr": "fr"}
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


def spell(phonemes, language):
    spelling = SPELLINGS.get(language, EVERYWHERE)
    result = ""
    for phoneme in phonemes:
        stress = re.match("[ˈˌ]*", phoneme).group()
        sound = phoneme[len(stress):]
        sound = spelling.get(sound, spelling.get(sound.replace("ː", ""), sound))
        result += stress + (sound.replace("ː", "") if language == "en-us" else sound)
    return result.replace("ɹɹ", "ɹ", 1)


def by_espeak(espeak, text, language):
    """"kˈæt, dˈɔɡ." """
    result = []
    for clause, mark in re.findall(r"([^,;:.!?…—–\"“”()।]*)([,;:.!?…—–\"“”()।]*\s*)", text):
        words = espeak.groups(clause, language) if clause.strip() else []
        if words:
            phonemes = " ".join(spell(word, language) for word in words)
            # espeak joins some words, which the engine splits again.
            result.append(re.sub(r"(\w{2,})ðə(?= |$)", r"\1 ðə", phonemes) if language.startswith("en") else phonemes)
        mark = mark.strip().replace("।", ".").replace("–", "—")
        if mark and result:
            result[-1] += mark
    return " ".join(result)


class Lexicon:
    """The pronunciations of English words that Kokoro was trained with. One of several is chosen at random."""

    def __init__(self, folder, country):
        self.words = {}
        for kind in ("silver", "gold"):
            self.words.update(json.load(gzip.open(os.path.join(folder, f"{country}_{kind}.json.gz"))))

    WEAK = {"a": "ɐ", "an": "ɐn", "i": "ˌI", "the": "ðə", "to": "tə"}

    def reading(self, word, random_source):
        if word.lower() in self.WEAK and random_source.random() < 0.9:
            return self.WEAK[word.lower()]
        found = self.words.get(word) or self.words.get(word.lower())
        if isinstance(found, dict):
            readings = [value for value in found.values() if value]
            found = found.get("DEFAULT") if random_source.random() < 0.7 and found.get("DEFAULT") else random_source.choice(readings)
        return found


def by_lexicon(lexicon, espeak, text, language, random_source):
    result = []
    for token in text.split():
        before, word, after = re.match(r"(\W*)(.*?)(\W*)$", token).groups()
        parts = []
        for part in re.split(r"[-—–]", word):
            phonemes = lexicon.reading(part, random_source) if part else None
            if phonemes is None:
                phonemes = lexicon.reading(part[:-2], random_source) if part.endswith("'s") else None
                phonemes = phonemes + "z" if phonemes else " ".join(spell(group, language) for group in espeak.groups(part, language))
            if phonemes:
                parts.append(phonemes)
        if parts:
            if result and result[-1] in ("ðə", "tə") and re.match("[ˈˌ]?[aeiouæɑɔəɛɜɪʊʌAIOWYQ]", parts[0]):
                result[-1] = {"ðə": "ði", "tə": "tʊ"}[result[-1]]
            result.append(" ".join(parts) + "".join(c for c in after if c in ",;:.!?…\"”)"))
    return " ".join(result)


def main(sentences, tokenizer, library, data, result, lexicons=None, cjk=None):
    vocabulary = json.load(open(tokenizer))["model"]["vocab"]
    espeak, random_source = Espeak(library, data), random.Random(3)
    words = {country: Lexicon(lexicons, country) for country in ("us", "gb")} if lexicons else {}
    texts = {language: [] for language in LANGUAGES}

    def add(language, phonemes):
        ids = [vocabulary[c] for c in unicodedata.normalize("NFD", phonemes) if c in vocabulary]
        if 1 < len(ids) <= MAX_TOKENS:
            texts[language].append(np.array(ids, np.uint8))

    for line in open(sentences):
        item = json.loads(line)
        language, text = item["language"], item["text"]
        if language in ("ja", "zh"):
            continue
        if language != "en-us":
            add(language, by_espeak(espeak, text, language))
            continue
        # 60 % American, 40 % British; a third with the phonemes of espeak.
        language, country = ("en-us", "us") if random_source.random() < 0.6 else ("en-gb", "gb")
        lexical = words and random_source.random() < 0.67
        add(language, by_lexicon(words[country], espeak, text, language, random_source) if lexical else by_espeak(espeak, text, language))
    if cjk:
        for line in open(cjk):
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

"""Collects sentences in many languages from Debian packages that were unpacked (dpkg -x) into one folder.

  python sentences.py UNPACKED OUT.jsonl

gnome-user-docs (CC BY-SA 3.0), libreoffice-help-* (MPL-2.0), fortunes, fortunes-{es,it,br} (collected quotations), the dialogues of the
campaigns of wesnoth-1.16-* with their translations (GPL-2+, CC BY-SA 4.0), and in English the examples of wordnet-base (WordNet licence) and
the essays of anarchism (GFDL). Only the phonemes of the sentences are used for training.
"""

import gettext
import glob
import html
import json
import os
import random
import re
import sys

# language: folder of GNOME's help (also that of translations), folder of LibreOffice's help, files of fortunes
SOURCES = {
    "en-us": ("C", "en-US", "art computers cookie definitions education food fortunes humorists kids law literature love medicine men-women miscellaneous news people pets platitudes politics pratchett riddles science songs-poems sports startrek tao wisdom work zippy"),
    "es": ("es", "es", "es/*"),
    "fr-fr": ("fr", "fr", ""),
    "it": ("it", "it", "it definizioni formiche italia itatrek leggi luttazzi"),
    "pt-br": ("pt_BR", "pt-BR", "brasil"),
    "hi": ("hi", "hi", ""),
    "ja": ("ja", "ja", ""),
    "zh": ("zh_CN", "zh-CN", ""),
    "de": ("de", None, ""),
    "id": ("id", None, ""),
}
SCRIPT = {"hi": "\u0900-\u097f", "ja": "\u3040-\u30ff\u4e00-\u9fff", "zh": "\u4e00-\u9fff"}
ENGLISH = re.compile(r"(?:^| )(?:the|you|your|and|with|this|these|have|can|are|is|of|off|to) ", re.I)


def plain(markup):
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", "", markup))).strip()


def fits(sentence, language):
    if not 2 <= len(sentence) <= 300 or re.search(r"[<>{}\\/@=_|*#~^\[\]$%&+]", sentence) or re.search(r"\s[.,;:)]|\(\s*\)|\.\.\.\.|--", sentence):
        return False
    if language in SCRIPT:
        return bool(re.search(f"[{SCRIPT[language]}]", sentence)) and not re.search(r"[a-z]{3}", sentence, re.I)
    if re.search(r"[^\x20-\u024f\u2010-\u201f\u2026]", sentence) or not re.search(r"[a-z]{2}", sentence, re.I):
        return False
    return language.startswith("en") or not ENGLISH.search(sentence)


def split(text, language):
    if language in ("ja", "zh"):
        return re.findall(r"[^。！？]+[。！？]?", text)
    return re.split(r"(?<=[.!?।])\s+", text)


def pages(root, gnome, office):
    for path in sorted(glob.glob(f"{root}/usr/share/help/{gnome}/*/*.page")):
        yield from re.findall(r"<(?:p|title|desc)(?:\s[^>]*)?>(.*?)</(?:p|title|desc)>", open(path).read(), re.S)
    if office:
        for path in sorted(glob.glob(f"{root}/usr/share/libreoffice/help/{office}/text/**/*.html", recursive=True)):
            yield from re.findall(r"<(?:p|h[1-6])\s[^>]*>(.*?)</(?:p|h[1-6])>", open(path, errors="replace").read(), re.S)


def fortunes(root, names):
    for name in names.split():
        for path in sorted(glob.glob(f"{root}/usr/share/games/fortunes/{name}")):
            if os.path.isfile(path) and "." not in os.path.basename(path):
                text = open(path, "rb").read()
                try:
                    text = text.decode()
                except UnicodeDecodeError:
                    text = text.decode("latin-1")
                for fortune in re.split(r"\n%\n", re.sub(r"\x1b\[[0-9;]*m", "", text)):
                    yield re.sub(r"\s*\n\s*", " ", re.sub(r"\n\s*--.*", "", fortune, flags=re.S))


def dialogues(root, translation):
    """Texts of a game: the translations, or the English originals."""
    for path in sorted(glob.glob(f"{root}/usr/share/games/wesnoth/*/locale/{'de' if translation == 'C' else translation}/LC_MESSAGES/*.mo")):
        for original, translated in gettext.GNUTranslations(open(path, "rb"))._catalog.items():
            if original and isinstance(original, str):
                # "context^text"
                yield original.split("^")[-1] if translation == "C" else translated


def examples(root):
    """WordNet's examples of its words: short sentences and phrases."""
    for path in sorted(glob.glob(f"{root}/usr/share/wordnet/data.*")):
        for line in open(path):
            for example in re.findall(r'"([^"]+)"', line.partition("|")[2]):
                yield example[0].upper() + example[1:] + ("" if example[-1] in ".!?" else ".")


def essays(root):
    for path in sorted(glob.glob(f"{root}/usr/share/doc/anarchism/html/**/*.html", recursive=True)):
        yield from re.findall(r"<p[^>]*>(.*?)</p>", open(path, errors="replace").read(), re.S)


def sources_of(root, language):
    gnome, office, names = SOURCES[language]
    yield from pages(root, gnome, office)
    yield from fortunes(root, names)
    yield from dialogues(root, gnome)
    if language == "en-us":
        yield from examples(root)
        yield from essays(root)


def main(root, out):
    with open(out, "w") as file:
        for language in SOURCES:
            found = {}  # in order, each once
            for text in sources_of(root, language):
                for sentence in split(plain(text), language):
                    sentence = sentence.strip(" \"“”«»„-–—•")
                    if fits(sentence, language):
                        found[sentence] = True
            chosen = list(found)
            random.Random(7).shuffle(chosen)
            for sentence in chosen:
                file.write(json.dumps({"language": language, "text": sentence}, ensure_ascii=False) + "\n")
            print(language, len(chosen), sum(map(len, chosen)), [s for s in chosen[:3]], flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Samples training texts and styles: sentences, clauses, fragments, several sentences, replaced words, other punctuation."""

import zlib

import numpy as np

SHARE = {"en-us": 0.33, "en-gb": 0.29, "es": 0.06, "fr-fr": 0.05, "it": 0.07, "pt-br": 0.07, "hi": 0.04, "ja": 0.06, "zh": 0.015, "de": 0.01, "id": 0.005}
PREFIX = {"en-us": "a", "en-gb": "b", "es": "e", "fr-fr": "f", "it": "i", "pt-br": "p", "hi": "h", "ja": "j", "zh": "z", "de": "ae", "id": "ae"}
SPACE, STOPS, MARKS = 16, (4, 5, 6), (1, 2, 3, 4, 5, 6, 9, 10)  # ". ! ?" and "; : , . ! ? — …"
MAX_TOKENS = 340
ROW_STEP = 8  # voices.npz holds every eighth row of a style table


def is_held_out(ids):
    return zlib.crc32(ids.tobytes()) % 50 == 0


class Texts:
    def __init__(self, path):
        file = np.load(path)
        names = list(file["languages"])
        ids = np.split(file["ids"], np.cumsum(file["lengths"].astype(np.int64))[:-1])
        self.training = {name: [] for name in names}
        self.held_out_texts = {name: [] for name in names}
        for code, text in zip(file["language"].tolist(), ids):
            (self.held_out_texts if is_held_out(text) else self.training)[names[code]].append(text)
        self.names = [name for name in SHARE if self.training[name]]
        self.share = np.array([SHARE[name] for name in self.names])
        self.share /= self.share.sum()

    def sentence(self, random, language):
        texts = self.training[language]
        return texts[random.integers(len(texts))]

    def draw(self, random):
        """-> language, ids"""
        language = self.names[random.choice(len(self.names), p=self.share)]
        ids, kind = self.sentence(random, language), random.random()
        if kind < 0.12:
            ids = clause(random, ids, MARKS)
        elif kind < 0.2:
            words = np.split(ids, np.flatnonzero(ids == SPACE))
            start = random.integers(len(words))
            ids = np.concatenate(words[start : start + random.integers(1, 7)])
        elif kind < 0.32:
            ids = self.replace_words(random, language, ids, 0.3 if kind < 0.29 else 1.0)
        elif kind < 0.54:
            parts = [ids]
            for _ in range(random.integers(1, 3)):
                parts += [np.array([SPACE], np.uint8), self.sentence(random, language)]
            ids = np.concatenate(parts)
        elif kind < 0.57:
            other = self.names[random.integers(len(self.names))]
            ids = np.concatenate([ids, [SPACE], clause(random, self.sentence(random, other), MARKS)])
        ids = ids[:MAX_TOKENS].astype(np.uint8)
        while len(ids) and ids[0] == SPACE:
            ids = ids[1:]
        if random.random() < 0.2:
            while len(ids) and ids[-1] in (*MARKS, SPACE):
                ids = ids[:-1]
            if random.random() < 0.75:
                ids = np.append(ids, np.uint8(MARKS[random.integers(len(MARKS))]))[:MAX_TOKENS]
        return (language, ids) if len(ids) else self.draw(random)

    def replace_words(self, random, language, ids, share):
        """Replaces a share of the words by words of other sentences."""
        words = np.split(ids, np.flatnonzero(ids == SPACE))
        for index in range(len(words)):
            if random.random() < share:
                others = self.sentence(random, language)
                spaces = np.flatnonzero(others == SPACE)
                if len(spaces) > 1:
                    pick = random.integers(len(spaces) - 1)
                    words[index] = others[spaces[pick] + (index == 0) : spaces[pick + 1]]
        return np.concatenate(words)


def clause(random, ids, marks):
    cuts = np.flatnonzero(np.isin(ids, marks)) + 1
    parts = [group for group in np.split(ids, cuts) if len(group) > 1]
    return parts[random.integers(len(parts))] if parts else ids


class Styles:
    def __init__(self, path):
        file = np.load(path)
        self.tables = {name: file[name].astype(np.float32) for name in file.files}
        self.names = list(self.tables)
        self.spread = np.concatenate([table[::8] for table in self.tables.values()]).std(0)

    def row(self, name, length):
        table = self.tables[name]
        return table[min((length - 1) // ROW_STEP, len(table) - 1)]

    def native(self, random, language, length):
        """A voice of the language itself, as it is."""
        own = [name for name in self.names if name[0] in PREFIX[language]]
        return self.row(own[random.integers(len(own))], length).astype(np.float32)

    def draw(self, random, language, length):
        of_language = [name for name in self.names if name[0] in PREFIX[language]]
        pool = of_language if random.random() < 0.8 else self.names
        kind = random.random()
        style = self.row(pool[random.integers(len(pool))], length)
        if kind < 0.3:
            shares = random.dirichlet(np.ones(random.integers(2, 4)))
            style = sum(share * self.row(self.names[random.integers(len(self.names))], length) for share in shares)
        elif kind < 0.45:
            # Voices that are no stock voice: a perturbed style.
            style = style + random.normal(0, random.uniform(0, 0.8), 256) * self.spread
        return style.astype(np.float32)


def batches(texts, styles, random, tokens, count):
    """Yields (ids [B, n] with 0 before and after, lengths, styles) of about `tokens` phonemes each, padding included, from `count` texts, grouped by length."""
    drawn = [texts.draw(random) for _ in range(count)]
    drawn.sort(key=lambda item: len(item[1]))
    groups, start = [], 0
    while start < len(drawn):
        end = start + 1
        while end < len(drawn) and (len(drawn[end][1]) + 2) * (end + 1 - start) <= tokens:
            end += 1
        groups.append(drawn[start:end])
        start = end
    for index in random.permutation(len(groups)):
        group = groups[index]
        ids = np.zeros((len(group), max(len(ids) for _, ids in group) + 2), np.uint8)
        for row, (_, text) in zip(ids, group):
            row[1 : 1 + len(text)] = text
        yield ids, np.array([len(text) + 2 for _, text in group]), np.stack([styles.draw(random, language, len(text)) for language, text in group])

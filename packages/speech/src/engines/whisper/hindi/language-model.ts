import { CLOSED_CLASSES } from "./closed-classes.ts";

/** How usual words are, one after another. */
export interface LanguageModel {
  /** Of a word after another one, which is empty at the start of a text: lower for words that are more usual. */
  cost(word: string, before: string): number;
  /** A number for all words before that are alike to `cost`. */
  context(before: string): number;
}

/** The cost of a probability is its negative logarithm less `FREE`, times this. Costs of sounds that are misheard are from 0 to 3. */
const SCALE = 0.35;
const FREE = 3;
/** The shares of pairs of words and of pairs of classes in a probability. The rest is that of the word alone. */
const SHARE_OF_PAIRS = 0.4;
const SHARE_OF_CLASSES = 0.4;
/** What was counted less often than this has less than its share. */
const FEW = 3;
/** How often a word counts that is only listed. Most of one letter, and of one with a vowel, are names of letters. */
const COUNT_OF_LISTED = 0.3;
const COUNT_OF_SHORT = 0.03;
/** How often a word of a closed class counts more than it occurs. */
const COUNT_OF_CLOSED = 3;
/** Words that occur as often as this are classes of their own, as are those of closed classes. */
const OWN_CLASS = 5;
/** The endings of other words are their classes: they tell the gender, the number, and forms of verbs. */
const ENDING = /(?:[तन][ाीे]|कर|[यग][ािीुूेैोौ]|[ािीुूेैोौ]ं?|ाँ|एँ|[ईएआं])$/u;
const endingOf = (word: string): string => `-${ENDING.exec(word)?.[0] ?? ""}`;
const START = "";

/** By sentences, which are counted, a list of words, and how often other words count that are neither in it nor in the sentences. */
export function createLanguageModel(
  sentences: readonly string[],
  listed: readonly string[],
  others: ReadonlyMap<string, number> = new Map(),
): LanguageModel {
  const texts = sentences.map(wordsIn);
  const words = createCounts();
  for (const word of new Set([...listed, ...CLOSED_CLASSES]))
    words.add(word, /^.\p{M}?$/u.test(word) ? COUNT_OF_SHORT : COUNT_OF_LISTED);
  for (const word of CLOSED_CLASSES) words.add(word, COUNT_OF_CLOSED);
  for (const word of texts.flat()) words.add(word);
  const own = new Set([START, ...CLOSED_CLASSES, ...words.atLeast(OWN_CLASS)]);
  const classes = new Map<string, string>();
  const classOf = (word: string): string => classes.get(word) ?? (own.has(word) ? word : endingOf(word));

  const inClass = createCounts();
  for (const [word, count] of words.all()) {
    classes.set(word, classOf(word));
    inClass.add(classOf(word), count);
  }
  const [pairs, classPairs] = [createPairs(), createPairs()];
  for (const text of texts)
    for (const [at, word] of text.entries()) {
      const before = text[at - 1] ?? START;
      pairs.add(before, word);
      classPairs.add(classOf(before), classOf(word));
    }
  const contexts = new Map<string, number>();
  return {
    cost(word, before) {
      const count = words.of(word) || others.get(word) || COUNT_OF_LISTED;
      const ownClass = classOf(word);
      const pair = pairs.share(before, word, SHARE_OF_PAIRS);
      const classPair = classPairs.share(classOf(before), ownClass, SHARE_OF_CLASSES);
      const probability =
        pair.probability +
        classPair.probability * (count / (inClass.of(ownClass) || count)) +
        (1 - pair.share - classPair.share) * (count / words.total());
      return SCALE * Math.max(0, -Math.log(probability) - FREE);
    },
    context(before) {
      const key = pairs.has(before) ? before : classOf(before);
      const number = contexts.get(key) ?? contexts.size;
      contexts.set(key, number);
      return number;
    },
  };
}

/** The words of a sentence. */
export const wordsIn = (sentence: string): string[] => sentence.normalize("NFC").match(/[\p{L}\p{M}]+/gu) ?? [];

function createCounts() {
  const counts = new Map<string, number>();
  let total = 0;
  return {
    add(key: string, count = 1): void {
      counts.set(key, (counts.get(key) ?? 0) + count);
      total += count;
    },
    of: (key: string): number => counts.get(key) ?? 0,
    total: (): number => total,
    all: () => counts.entries(),
    atLeast: (least: number): string[] => [...counts].filter(([, count]) => count >= least).map(([key]) => key),
  };
}

function createPairs() {
  const [first, both] = [createCounts(), createCounts()];
  return {
    add(before: string, key: string): void {
      first.add(before);
      both.add(`${before} ${key}`);
    },
    has: (before: string): boolean => first.of(before) > 0,
    /** The probability of a key after another one, times the share that it has, which is at most `most`. */
    share(before: string, key: string, most: number): { readonly probability: number; readonly share: number } {
      const count = first.of(before);
      const share = (most * count) / (count + FEW);
      return { share, probability: (share * both.of(`${before} ${key}`)) / Math.max(1, count) };
    },
  };
}

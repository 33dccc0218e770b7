import { inOwnLanguages } from "./detection/foreign-words.ts";
import type { LanguageFinder } from "./detection/language-finder.ts";
import { type Delivery, PLAIN_DELIVERY } from "./marks.ts";
import type { Pronunciations } from "./pronunciations.ts";
import { type ReadWord, readInSteps } from "./read.ts";
import { LOOKAHEAD } from "./rules/rule.ts";
import { type OpenSentence, type Sentence, sentenceAt } from "./sentences.ts";
import type { Boundary, Unfinished } from "./types.ts";

/** A sentence with its spoken words. All positions are relative to the start of the whole text. */
export interface SpokenSentence {
  readonly words: readonly ReadWord[];
  /** The language of the sentence, as espeak names it. Words of another one have their own. */
  readonly language: string;
  readonly to: number;
  readonly boundary: Boundary;
  readonly delivery: Delivery;
  readonly pause: number;
  /** It was flushed: it is spoken now, without waiting for more text. */
  readonly flushed: boolean;
}

/** The words of an unfinished sentence that no further text can change, without those spoken already. */
export interface OpenWords extends Pick<SpokenSentence, "words" | "language" | "delivery"> {
  /** More text has arrived since they were looked up. */
  readonly outdated: boolean;
}

/** A sentence whose words are being read, in several steps. */
interface Reading<Of> {
  readonly of: Of;
  readonly language: string;
  readonly words: Generator<undefined, ReadWord[]>;
  /** The length of the whole text when it began. */
  readonly length: number;
}

/** `language` (BCP 47) pins it for a part of the text, if the voice speaks it. */
export type FinderOf = (speaker: number, language?: string) => LanguageFinder;

export interface StreamOptions {
  readonly normalize: boolean;
  /** The language of a speaker's voice, as espeak names it. */
  readonly languageOf: (speaker: number) => string;
  /** Words that are spoken in another way than the rules say. */
  readonly pronunciations?: Pronunciations | undefined;
  /** Finds the language of each sentence; without it, all are in the language of their speaker's voice. */
  readonly finderOf?: FinderOf | undefined;
}

/**
 * The language of a sentence depends on this much of its beginning, and on nothing after it: so its words stay the same while it
 * is still being written.
 */
const DECISIVE_LENGTH = 40;

/** Text that has been processed is released when it has reached this length. */
const TRIM_AFTER = 4096;

/**
 * Splits a stream of text into sentences. Text may arrive in any pieces: a sentence is returned when it is certainly complete,
 * and it is processed only on request. The words do not depend on how the text was divided.
 */
export class SentenceStream {
  readonly #options: StreamOptions;
  #text = "";
  /** The position of `#text` in the whole text. */
  #base = 0;
  /** The start of the next sentence in `#text`. */
  #at = 0;
  #delivery = PLAIN_DELIVERY;
  /** Positions of flushes: the text before them is spoken without waiting. */
  #flushes: number[] = [];
  #finished = false;
  /** Words of the open sentence that start before this position have been spoken. */
  #spokenTo = 0;
  /** The language of the last complete sentence. */
  #previous: string | undefined;
  /** The length of the text when its last sentence was found to be incomplete. */
  #openAt = -1;
  #reading: Reading<Sentence> | undefined;
  #openReading: Reading<OpenSentence> | undefined;

  constructor(options: StreamOptions) {
    this.#options = options;
  }

  push(text: string): void {
    if (this.#finished) throw new Error("The text has been finished");
    this.#text += text;
  }

  /** The text so far is complete: its last sentence ends here. */
  flush(): void {
    const end = this.#base + this.#text.length;
    if (end > this.#base + this.#at && this.#flushes.at(-1) !== end) this.#flushes.push(end);
  }

  finish(): void {
    this.flush();
    this.#finished = true;
  }

  /** Whether all text has been processed and no more will arrive. */
  get done(): boolean {
    return this.#finished && this.#at >= this.#text.length;
  }

  /** One step of reading the next sentence that is certainly complete. */
  read(): SpokenSentence | Unfinished | undefined {
    if (this.#reading === undefined) {
      const found = this.#scan();
      if (found === undefined || "open" in found) return undefined;
      this.#openReading = undefined;
      this.#reading = this.#begin(found, found.to);
    }
    const { of: sentence, language } = this.#reading;
    const step = this.#reading.words.next();
    if (step.done !== true) return "unfinished";
    this.#reading = undefined;
    const { boundary, delivery, pause } = sentence;
    const words = step.value.filter(({ start }) => start >= this.#spokenTo);
    this.#previous = language;
    const to = this.#base + sentence.to;
    this.#delivery = delivery;
    this.#at = sentence.to;
    const flushed = this.#flushes[0] === to;
    if (flushed) this.#flushes.shift();
    this.#trim();
    return { words, language, to, boundary, delivery, pause, flushed };
  }

  /** One step of reading the sentence that is still being written. A reading that has begun ends with the text it knew. */
  readOpen(): OpenWords | Unfinished | undefined {
    if (this.#openReading === undefined) {
      const open = this.#scan(true);
      if (open === undefined || !("open" in open)) return undefined;
      const { from, safe, delivery } = open;
      const isOpen = this.#finder(delivery)?.dependsOnText === true;
      if (isOpen && safe - from <= DECISIVE_LENGTH) return undefined;
      this.#openReading = this.#begin(open, safe);
    }
    const { of: open, language, length } = this.#openReading;
    const step = this.#openReading.words.next();
    if (step.done !== true) return "unfinished";
    this.#openReading = undefined;
    const words = step.value;
    let known = words.length;
    for (let tokens = 0; known > 0 && tokens < LOOKAHEAD; tokens++) {
      const token = words[known - 1]?.word.from;
      while (known > 0 && words[known - 1]?.word.from === token) known--;
    }
    return {
      words: words.slice(0, known).filter(({ start }) => start >= this.#spokenTo),
      language,
      delivery: open.delivery,
      outdated: length !== this.#length,
    };
  }

  get #length(): number {
    return this.#base + this.#text.length;
  }

  #begin<Of extends Sentence | OpenSentence>(of: Of, to: number): Reading<Of> {
    const { from, delivery } = of;
    const language = this.#language(from, to, delivery);
    return { of, language, words: this.#words(from, to, delivery, language), length: this.#length };
  }

  #finder({ speaker, language }: Delivery): LanguageFinder | undefined {
    return this.#options.finderOf?.(speaker, language);
  }

  /** Words that `readOpen` returned and that start before `place` have been spoken. */
  spoken(place: number): void {
    this.#spokenTo = place;
  }

  #scan(again = false): Sentence | OpenSentence | undefined {
    const flush = this.#flushes[0];
    const final = flush !== undefined;
    const end = final ? flush - this.#base : wholeCharacters(this.#text);
    if (!final && !again && this.#openAt === this.#base + end) return undefined;
    const sentence = sentenceAt(this.#text, this.#at, end, final, this.#delivery);
    if (sentence === undefined || "open" in sentence) this.#openAt = this.#base + end;
    return sentence;
  }

  #language(from: number, to: number, delivery: Delivery): string {
    const finder = this.#finder(delivery);
    if (finder === undefined) return this.#options.languageOf(delivery.speaker);
    const beginning = this.#text.slice(from, Math.min(to, from + DECISIVE_LENGTH));
    const whole = to - from > DECISIVE_LENGTH ? beginning.replace(/\s\S*$/, "") : beginning;
    return finder.ofSentence(whole, this.#previous);
  }

  *#words(from: number, to: number, delivery: Delivery, language: string): Generator<undefined, ReadWord[]> {
    const { normalize, pronunciations } = this.#options;
    const finder = this.#finder(delivery);
    const base = this.#base;
    const read = yield* readInSteps(this.#text, from, to, { normalize, language, pronunciations });
    const words = finder === undefined ? read : inOwnLanguages(read, language, finder);
    if (base === 0) return words;
    return words.map((read) => ({
      ...read,
      start: read.start + base,
      word: { ...read.word, from: read.word.from + base, to: read.word.to + base },
    }));
  }

  #trim(): void {
    if (this.#at < TRIM_AFTER) return;
    this.#text = this.#text.slice(this.#at);
    this.#base += this.#at;
    this.#at = 0;
  }
}

/** The length without half of a surrogate pair at the end. */
function wholeCharacters(text: string): number {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.length - 1 : text.length;
}

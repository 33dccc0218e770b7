import { LOOKAHEAD } from "./english/rule.ts";
import { type ReadWord, readSentence } from "./read.ts";
import { type OpenSentence, type Sentence, sentenceAt } from "./sentences.ts";
import type { Boundary } from "./types.ts";

/** A sentence with its spoken words. All positions are relative to the start of the whole text. */
export interface SpokenSentence {
  readonly words: readonly ReadWord[];
  readonly to: number;
  readonly boundary: Boundary;
  readonly speaker: number;
  readonly pause: number;
  /** It was flushed: it is spoken now, without waiting for more text. */
  readonly flushed: boolean;
}

export interface StreamOptions {
  readonly normalize: boolean;
  /** The language of a speaker's voice, as espeak names it. */
  readonly languageOf: (speaker: number) => string;
}

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
  #speaker = 0;
  /** Positions of flushes: the text before them is spoken without waiting. */
  #flushes: number[] = [];
  #finished = false;
  /** Words of the open sentence that start before this position have been spoken. */
  #spokenTo = 0;
  /** The length of the text when its last sentence was found to be incomplete. */
  #openAt = -1;

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

  /** The next sentence that is certainly complete. */
  read(): SpokenSentence | undefined {
    const sentence = this.#scan();
    if (sentence === undefined || "open" in sentence) return undefined;
    const words = this.#words(sentence.from, sentence.to, sentence.speaker).filter(
      ({ start }) => start >= this.#spokenTo,
    );
    const { boundary, speaker, pause } = sentence;
    const to = this.#base + sentence.to;
    this.#speaker = speaker;
    this.#at = sentence.to;
    const flushed = this.#flushes[0] === to;
    if (flushed) this.#flushes.shift();
    this.#trim();
    return { words, to, boundary, speaker, pause, flushed };
  }

  /** The words of the unfinished sentence that no further text can change, without those spoken already. */
  readOpen(): Pick<SpokenSentence, "words" | "speaker"> | undefined {
    const open = this.#scan(true);
    if (open === undefined || !("open" in open)) return undefined;
    const words = this.#words(open.from, open.safe, open.speaker);
    let known = words.length;
    for (let tokens = 0; known > 0 && tokens < LOOKAHEAD; tokens++) {
      const token = words[known - 1]?.word.from;
      while (known > 0 && words[known - 1]?.word.from === token) known--;
    }
    return { words: words.slice(0, known).filter(({ start }) => start >= this.#spokenTo), speaker: open.speaker };
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
    const sentence = sentenceAt(this.#text, this.#at, end, final, this.#speaker);
    if (sentence === undefined || "open" in sentence) this.#openAt = this.#base + end;
    return sentence;
  }

  #words(from: number, to: number, speaker: number): ReadWord[] {
    const { normalize, languageOf } = this.#options;
    const words = readSentence(this.#text, from, to, { normalize, language: languageOf(speaker) });
    const base = this.#base;
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

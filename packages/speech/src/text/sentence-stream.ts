import { LOOKAHEAD } from "./english/rule.ts";
import { type ReadWord, readSentence } from "./read.ts";
import { type OpenSentence, type Sentence, sentenceAt } from "./sentences.ts";
import type { Boundary } from "./types.ts";

/** A sentence with its spoken words. All places are counted from the start of the whole text. */
export interface SpokenSentence {
  readonly words: readonly ReadWord[];
  readonly to: number;
  readonly boundary: Boundary;
  readonly speaker: number;
  readonly pause: number;
  /** The caller wants it spoken now: nothing waits for what may follow. */
  readonly flushed: boolean;
}

export interface StreamOptions {
  readonly normalize: boolean;
  /** The language of a speaker's voice, as espeak names it. */
  readonly languageOf: (speaker: number) => string;
}

/** Text that has been read is let go once this much of it has gathered. */
const TRIM_AFTER = 4096;

/**
 * Text in, sentences out. Text may come in any pieces: a sentence leaves when it is surely over, and it is read only when
 * it is asked for. The words are the same however the text was cut.
 */
export class SentenceStream {
  readonly #options: StreamOptions;
  #text = "";
  /** Where `#text` begins in the whole. */
  #base = 0;
  /** Where the next sentence begins, in `#text`. */
  #at = 0;
  #speaker = 0;
  /** Places where the caller said that what stands before them is to be spoken without waiting. */
  #flushes: number[] = [];
  #finished = false;
  /** Words of the open sentence that begin before this place have been spoken. */
  #spokenTo = 0;
  /** How long the text was when the last sentence in it was found to be open. */
  #openAt = -1;

  constructor(options: StreamOptions) {
    this.#options = options;
  }

  push(text: string): void {
    if (this.#finished) throw new Error("The text has been finished");
    this.#text += text;
  }

  /** Whatever has been pushed is complete: its last sentence ends here. */
  flush(): void {
    const end = this.#base + this.#text.length;
    if (end > this.#base + this.#at && this.#flushes.at(-1) !== end) this.#flushes.push(end);
  }

  finish(): void {
    this.flush();
    this.#finished = true;
  }

  /** Whether everything has been read and nothing more will come. */
  get done(): boolean {
    return this.#finished && this.#at >= this.#text.length;
  }

  /** The next sentence that is surely over. */
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

  /** Words that `readOpen` gave and that begin before `place` have been spoken. */
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

/** The length without half of a surrogate pair at the end: its other half is still to come. */
function wholeCharacters(text: string): number {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.length - 1 : text.length;
}

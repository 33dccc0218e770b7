import { spokenLength } from "./clauses.ts";
import { chooseCut, MAX_CHUNK, SHORTEST_CHUNK, SLACK } from "./cuts.ts";
import { type Delivery, MAX_PAUSE_SECONDS } from "./marks.ts";
import type { ReadWord } from "./read.ts";
import { SentenceStream, type SpokenSentence, type StreamOptions } from "./sentence-stream.ts";
import type { Boundary, SpeechChunk, Unfinished } from "./types.ts";

export interface ChunkOptions extends StreamOptions {
  /** `balanced`: a short first chunk for a fast start. `normal`: whole sentences, joined up to `chunkLength`. */
  readonly latency: "balanced" | "normal";
  /** The maximum of spoken characters in a chunk, 100 – 300. */
  readonly chunkLength: number;
  /** Sentences shorter than this are joined with their neighbours, 0 – 100. */
  readonly minChunkLength: number;
}

export interface ChunkHint {
  /** The client is about to run out of audio: return what there is instead of waiting for a better split. */
  readonly hurry?: boolean;
}

/** The first chunks of a balanced plan, in spoken characters; later ones have `chunkLength`. */
const FIRST_LIMITS = [80, 160] as const;

/** A step reads sentences until it has read this many characters. */
const STEP_CHARACTERS = 250;

const BOUNDARY_RANK: Readonly<Record<Boundary, number>> = { phrase: 0, clause: 1, sentence: 2, paragraph: 3 };

/** Sentences that may form one chunk, from the head of the queue. */
interface Gathered {
  readonly words: readonly ReadWord[];
  /** Index of each sentence's last word, and the spoken length up to it. */
  readonly ends: readonly { readonly index: number; readonly length: number }[];
  /** More sentences could be joined when they are known. */
  readonly open: boolean;
}

/**
 * Plans the chunks of a whole text or of one that is still being written. Text is only processed when a chunk is requested. A
 * `step` is a bounded piece of work, whatever the text is.
 */
export class Chunker {
  readonly #options: ChunkOptions;
  readonly #stream: SentenceStream;
  #queue: SpokenSentence[] = [];
  /** The end of the chunks that were returned, and the text after it. */
  #given = 0;
  #rest = "";
  #count = 0;
  /** The end of the text that was read, and where the current step stops. */
  #readTo = 0;
  #stepEnd = 0;
  /** The current step has ended before all sentences that it needs were read. */
  #isInterrupted = false;

  constructor(options: ChunkOptions) {
    this.#options = options;
    this.#stream = new SentenceStream(options);
  }

  push(text: string): void {
    this.#rest += text;
    this.#stream.push(text);
  }

  /** The text so far is spoken without waiting for more; its last sentence ends here. */
  flush(): void {
    this.#stream.flush();
  }

  /** No more text will arrive. */
  finish(): void {
    this.#stream.finish();
  }

  /** Characters that are in no chunk yet. */
  get waiting(): number {
    return this.#rest.length;
  }

  /** Whether the text so far looks complete, although only the next word would make it certain. */
  get looksFinished(): boolean {
    return /(?:[!?…。！？।]|[^\s.]{4}\.)["'”’)\]]*\s*$/u.test(this.#rest.slice(-16));
  }

  /** Whether every chunk has been returned. */
  get done(): boolean {
    return this.#stream.done && this.#queue.length === 0;
  }

  /** The next chunk, or undefined when there is none (yet). */
  next(hint?: ChunkHint): SpeechChunk | undefined {
    for (;;) {
      const chunk = this.step(hint);
      if (chunk !== "unfinished") return chunk;
    }
  }

  /** One step of finding the next chunk. */
  step({ hurry = false }: ChunkHint = {}): SpeechChunk | Unfinished | undefined {
    this.#stepEnd = this.#readTo + STEP_CHARACTERS;
    this.#isInterrupted = false;
    return this.#find(hurry);
  }

  #find(hurry: boolean): SpeechChunk | Unfinished | undefined {
    this.#fill(2);
    if (this.#isInterrupted) return "unfinished";
    const [head, follower] = this.#queue;
    if (head === undefined) return hurry ? this.#fromOpenSentence() : undefined;
    if (head.words.length === 0) {
      if (head.pause === 0 && follower !== undefined) {
        // Its part of the text goes to the next chunk.
        this.#queue.shift();
        return this.#find(hurry);
      }
      if (head.pause === 0 && !this.#stream.done) return hurry ? this.#fromOpenSentence() : undefined;
      return this.#give(0);
    }
    const [shortest, limit] = this.#size();
    const gathered = this.#gather(shortest, limit);
    if (this.#isInterrupted) return "unfinished";
    const length = gathered.ends.at(-1)?.length ?? 0;
    if (gathered.open && !hurry && length < shortest) return undefined;
    return this.#give(this.#wordCount(gathered, shortest, limit));
  }

  /** The minimum and maximum of spoken characters of the next chunk. */
  #size(): [shortest: number, limit: number] {
    const { latency, chunkLength, minChunkLength } = this.#options;
    if (latency === "normal") return [chunkLength, chunkLength];
    const limit = Math.min(chunkLength, FIRST_LIMITS[this.#count] ?? chunkLength);
    return [this.#count === 0 ? SHORTEST_CHUNK : Math.min(minChunkLength, limit), limit];
  }

  /** Reads up to `count` sentences. Text without words goes to the sentence before it. */
  #fill(count: number): void {
    while (this.#queue.length < count) {
      const sentence = this.#readTo < this.#stepEnd ? this.#stream.read() : "unfinished";
      if (sentence === "unfinished") this.#isInterrupted = true;
      if (sentence === undefined || sentence === "unfinished") return;
      this.#readTo = sentence.to;
      const last = this.#queue.at(-1);
      if (last === undefined || sentence.words.length > 0) this.#queue.push(sentence);
      else this.#queue[this.#queue.length - 1] = withTail(last, sentence);
    }
  }

  #gather(shortest: number, limit: number): Gathered {
    const words: ReadWord[] = [];
    const ends: { index: number; length: number }[] = [];
    let length = 0;
    for (let index = 0; ; index++) {
      this.#fill(index + 2);
      const sentence = this.#queue[index];
      if (sentence === undefined) break;
      words.push(...sentence.words);
      for (const word of sentence.words) length += spokenLength(word);
      ends.push({ index: words.length - 1, length });
      const next = this.#queue[index + 1];
      if (sentence.pause > 0 || sentence.boundary === "paragraph") break;
      if (next === undefined) return { words, ends, open: !sentence.flushed };
      if (!isSpokenAlike(next, sentence) || next.words.length === 0) break;
      const nextLength = next.words.reduce((sum, word) => sum + spokenLength(word), 0);
      const short = this.#count > 0 && nextLength < this.#options.minChunkLength && length + nextLength <= limit;
      if (length >= shortest && !short) break;
    }
    return { words, ends, open: false };
  }

  #wordCount({ words, ends }: Gathered, shortest: number, limit: number): number {
    const slack = Math.min(limit * SLACK, MAX_CHUNK);
    const fitting = ends.filter(({ length }) => length <= limit);
    if (this.#options.latency === "normal" || this.#count > 0) {
      // All of them, or as many whole sentences as fit, unless they are too short.
      const last = fitting.at(-1);
      if (last !== undefined && (last.length >= this.#options.minChunkLength || fitting.length === ends.length))
        return last.index + 1;
    } else {
      const first =
        fitting.find(({ length }) => length >= shortest) ??
        (fitting.length === ends.length ? fitting.at(-1) : undefined);
      if (first !== undefined) return first.index + 1;
    }
    const [whole] = ends;
    if (whole !== undefined && whole.length <= slack && whole.length >= shortest && this.#count > 0)
      return whole.index + 1;
    const early = this.#options.latency === "balanced" && this.#count === 0;
    const count = chooseCut({
      words,
      sentenceEnds: new Set(ends.map(({ index }) => index)),
      language: this.#queue[0]?.language ?? "",
      shortest: Math.min(shortest, limit / 2),
      limit,
      early,
    });
    // A sentence that is only slightly too long is not split without a natural pause.
    const torn = words[count - 1]?.word.after === "";
    return early && torn && whole !== undefined && whole.length <= slack ? whole.index + 1 : count;
  }

  /** The start of an incomplete sentence, up to a comma or similar. */
  #fromOpenSentence(): SpeechChunk | Unfinished | undefined {
    const open = this.#stream.readOpen();
    if (open === undefined || open === "unfinished") return open;
    const again = open.outdated ? "unfinished" : undefined;
    if (open.words.length === 0) return again;
    const [, limit] = this.#size();
    const { language } = open;
    const request = { words: open.words, sentenceEnds: new Set<number>(), language, limit, early: this.#count === 0 };
    // A short chunk is better than silence.
    const count = chooseCut({ ...request, shortest: SHORTEST_CHUNK }, "punctuation");
    const next = open.words[count];
    if (count === 0 || next === undefined) return again;
    this.#stream.spoken(next.start);
    const words = open.words.slice(0, count);
    return this.#chunk(words, next.start, open, boundaryWithin(words), 0);
  }

  /** Removes `count` words from the queue. */
  #give(count: number): SpeechChunk {
    const words: ReadWord[] = [];
    for (;;) {
      const [head] = this.#queue;
      if (head === undefined) throw new RangeError("More words were requested than there are");
      const missing = count - words.length;
      if (missing < head.words.length) {
        const rest = head.words.slice(missing);
        words.push(...head.words.slice(0, missing));
        this.#queue[0] = { ...head, words: rest };
        return this.#chunk(words, rest[0]?.start ?? head.to, head, boundaryWithin(words), 0);
      }
      words.push(...head.words);
      this.#queue.shift();
      if (words.length === count) return this.#chunk(words, head.to, head, head.boundary, head.pause);
    }
  }

  #chunk(
    words: readonly ReadWord[],
    to: number,
    { delivery, language }: Pick<SpokenSentence, "delivery" | "language">,
    boundary: Boundary,
    pauseAfter: number,
  ): SpeechChunk {
    const from = this.#given;
    const text = this.#rest.slice(0, to - from);
    this.#rest = this.#rest.slice(to - from);
    this.#given = to;
    if (words.length > 0) this.#count++;
    const { speaker } = delivery;
    const range = { words: words.map(({ word }) => word), from, to, text };
    return { ...range, speaker, language, boundary, pauseAfter, ...changesOf(delivery) };
  }
}

/** Whether two sentences can be in one chunk. */
function isSpokenAlike(one: SpokenSentence, other: SpokenSentence): boolean {
  const [a, b] = [one.delivery, other.delivery];
  return one.language === other.language && a.speaker === b.speaker && a.speed === b.speed && a.volume === b.volume;
}

function changesOf({ speed, volume }: Delivery): Pick<SpeechChunk, "speed" | "volume"> {
  return { ...(speed === 1 ? {} : { speed }), ...(volume === 0 ? {} : { volume }) };
}

/** A sentence with silent text after it: emoji, a mark, space. */
function withTail(sentence: SpokenSentence, tail: SpokenSentence): SpokenSentence {
  const boundary = BOUNDARY_RANK[tail.boundary] > BOUNDARY_RANK[sentence.boundary] ? tail.boundary : sentence.boundary;
  const pause = Math.min(sentence.pause + tail.pause, MAX_PAUSE_SECONDS);
  return { ...sentence, to: tail.to, boundary, pause, flushed: tail.flushed };
}

/** The boundary of a split inside a sentence: a clause after a comma or similar, otherwise a phrase. */
function boundaryWithin(words: readonly ReadWord[]): Boundary {
  return words.at(-1)?.word.after === "" ? "phrase" : "clause";
}

/** The chunks of a whole text. */
export function* planChunks(text: string, options: ChunkOptions): Generator<SpeechChunk, void, undefined> {
  const chunker = new Chunker(options);
  chunker.push(text);
  chunker.finish();
  for (let chunk = chunker.next(); chunk !== undefined; chunk = chunker.next()) yield chunk;
}

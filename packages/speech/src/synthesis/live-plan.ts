import { Chunker, type ChunkOptions, type SpeechChunk, type Unfinished } from "../text/index.ts";

/** With less than this to play, the next clause is spoken at once; with more, the plan waits for more context. */
export const LOW_SECONDS = 0.8;

/**
 * Decides which part of a text that is still being written is spoken next. It knows nothing of clocks or sockets: the caller
 * passes the seconds that the client still has to play.
 */
export class LivePlan {
  readonly #chunker: Chunker;
  readonly #waitsForSentences: boolean;
  /** Since the last flush: whether there was text, and whether any of it was spoken. */
  #hasText = false;
  #hasSpoken = false;
  /** Whether flushed text is still being returned, and none of it was words so far. */
  #isFlushing = false;
  #isSilent = false;

  constructor(options: ChunkOptions) {
    this.#chunker = new Chunker(options);
    this.#waitsForSentences = options.latency === "normal";
  }

  push(text: string): void {
    this.#hasText ||= text.trim() !== "";
    this.#chunker.push(text);
  }

  /** Everything that was pushed is to be spoken now. */
  flush(): void {
    this.#chunker.flush();
    this.#isFlushing = true;
    this.#isSilent ||= this.#hasText && !this.#hasSpoken;
    [this.#hasText, this.#hasSpoken] = [false, false];
  }

  /** No more text will arrive. */
  finish(): void {
    this.#chunker.finish();
  }

  /** Characters that have not been returned by `next`. */
  get waiting(): number {
    return this.#chunker.waiting;
  }

  /** "silence": the text of a flush had no words, such as punctuation or an emoji. */
  next(ahead: number): SpeechChunk | "silence" | "wait" | "done" | Unfinished {
    const hurry = !this.#waitsForSentences && ahead < LOW_SECONDS;
    const chunk = this.#chunker.step({ hurry });
    if (chunk === "unfinished") return chunk;
    if (chunk !== undefined) {
      if (chunk.words.length > 0) this.#spoke();
      return chunk;
    }
    this.#isFlushing = false;
    if (this.#isSilent) {
      this.#isSilent = false;
      return "silence";
    }
    return this.#chunker.done ? "done" : "wait";
  }

  #spoke(): void {
    if (this.#isFlushing) this.#isSilent = false;
    else this.#hasSpoken = true;
  }

  /** The client waits and no text arrives: if the rest looks like a whole sentence, it is treated as one. */
  stall(): void {
    if (!this.#waitsForSentences && this.#chunker.looksFinished) this.#chunker.flush();
  }

  /** In how many seconds `next` may return something else without new text; undefined: never. */
  changesIn(ahead: number): number | undefined {
    return this.#waitsForSentences || this.waiting === 0 || ahead < LOW_SECONDS ? undefined : ahead - LOW_SECONDS;
  }
}

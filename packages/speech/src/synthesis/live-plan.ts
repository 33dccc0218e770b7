import { Chunker, type ChunkOptions, type SpeechChunk } from "../text/index.ts";

/** With less than this to play, the next clause is spoken at once; with more, the plan waits for more context. */
export const LOW_SECONDS = 0.8;

/**
 * Decides which part of a text that is still being written is spoken next. It knows nothing of clocks or sockets: the caller
 * passes the seconds that the client still has to play.
 */
export class LivePlan {
  readonly #chunker: Chunker;
  readonly #waitsForSentences: boolean;

  constructor(options: ChunkOptions) {
    this.#chunker = new Chunker(options);
    this.#waitsForSentences = options.latency === "normal";
  }

  push(text: string): void {
    this.#chunker.push(text);
  }

  /** Everything that was pushed is to be spoken now. */
  flush(): void {
    this.#chunker.flush();
  }

  /** No more text will arrive. */
  finish(): void {
    this.#chunker.finish();
  }

  /** Characters that have not been returned by `next`. */
  get waiting(): number {
    return this.#chunker.waiting;
  }

  next(ahead: number): SpeechChunk | "wait" | "done" {
    const hurry = !this.#waitsForSentences && ahead < LOW_SECONDS;
    return this.#chunker.next({ hurry }) ?? (this.#chunker.done ? "done" : "wait");
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

import { Chunker, type ChunkOptions, type SpeechChunk } from "../text/index.ts";

/** With less than this to play, the listener is served the clause that is there; with more, context is waited for. */
export const LOW_SECONDS = 0.8;

/**
 * Decides what is spoken when, of a text that is still being written. It knows nothing of clocks or sockets: whoever asks
 * says how many seconds the listener still has to play.
 */
export class LivePlan {
  readonly #chunker: Chunker;
  readonly #patient: boolean;

  constructor(options: ChunkOptions) {
    this.#chunker = new Chunker(options);
    this.#patient = options.latency === "normal";
  }

  push(text: string): void {
    this.#chunker.push(text);
  }

  /** All that was pushed is to be spoken now. */
  flush(): void {
    this.#chunker.flush();
  }

  /** No more text will come. */
  finish(): void {
    this.#chunker.finish();
  }

  /** Characters that have not been given out. */
  get waiting(): number {
    return this.#chunker.waiting;
  }

  next(ahead: number): SpeechChunk | "wait" | "done" {
    const hurry = !this.#patient && ahead < LOW_SECONDS;
    return this.#chunker.next({ hurry }) ?? (this.#chunker.done ? "done" : "wait");
  }

  /** The listener waits and no text comes: if what there is looks like a whole sentence, it is one. */
  stall(): void {
    if (!this.#patient && this.#chunker.looksFinished) this.#chunker.flush();
  }

  /** In how many seconds `next` may answer differently although no text has come; undefined: never. */
  changesIn(ahead: number): number | undefined {
    return this.#patient || this.waiting === 0 || ahead < LOW_SECONDS ? undefined : ahead - LOW_SECONDS;
  }
}

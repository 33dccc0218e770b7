import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { concatBytes } from "../../lib/concat.ts";

/** Encodes samples as the bytes of one audio file, in a stream. */
export interface AudioEncoder {
  readonly contentType: string;
  /**
   * Samples that the codec adds before the first one of the input. Opus files contain the number, so players skip them; a
   * stream of plain mp3 frames does not, so players play them as silence.
   */
  readonly delaySamples: number;
  /** The number of input samples that the bytes so far contain. */
  readonly encodedSamples: number;
  /** Encodes samples (mono, −1 … 1), any number at a time. Await each call before the next. */
  encode(samples: Float32Array): Promise<Uint8Array>;
  /** The last bytes of the file. Nothing can be encoded after it; a second call returns nothing. */
  finish(): Promise<Uint8Array>;
  /** Frees the encoder, finished or not. May be called at any time, and more than once. */
  close(): void;
}

/** The part of an encoder that depends on the format. `write` and `end` append bytes to the list. */
export interface EncoderCore {
  readonly contentType: string;
  readonly delaySamples: number;
  readonly encodedSamples: number;
  write(samples: Float32Array, bytes: Uint8Array[]): void;
  end(bytes: Uint8Array[]): void;
  close(): void;
}

/** About 0.1 s of audio, which takes about a millisecond to encode; other work runs between the slices. */
const SLICE_SAMPLES = 4800;

export function streamEncoder(core: EncoderCore): AudioEncoder {
  let state: "open" | "busy" | "finished" | "closed" = "open";

  function claim(): void {
    if (state === "busy") throw new Error("the encoder is busy: await each call before the next");
    if (state !== "open") throw new Error(`the encoder is ${state}`);
    state = "busy";
  }

  function close(): void {
    if (state === "closed") return;
    state = "closed";
    core.close();
  }

  /** A codec that has failed is in an unknown state and is not used again. */
  function guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      close();
      throw error;
    }
  }

  return {
    contentType: core.contentType,
    delaySamples: core.delaySamples,
    get encodedSamples() {
      return core.encodedSamples;
    },
    async encode(samples) {
      claim();
      const bytes: Uint8Array[] = [];
      for (let from = 0; from < samples.length; from += SLICE_SAMPLES) {
        if (from > 0) {
          await yieldToEventLoop();
          assertNotClosed();
        }
        guarded(() => core.write(samples.subarray(from, from + SLICE_SAMPLES), bytes));
      }
      state = "open";
      return concatBytes(bytes);
    },
    async finish() {
      if (state === "finished") return new Uint8Array(0);
      claim();
      const bytes: Uint8Array[] = [];
      guarded(() => core.end(bytes));
      core.close();
      state = "finished";
      return concatBytes(bytes);
    },
    close,
  };

  function assertNotClosed(): void {
    if (state === "closed") throw new Error("the encoder was closed while it was encoding");
  }
}

import { setImmediate } from "node:timers/promises";

/** Turns samples into the bytes of one audio file, as they come. */
export interface AudioEncoder {
  readonly contentType: string;
  /**
   * Samples that the codec itself puts before the first one of the input. Opus files say how many, so players drop
   * them; a stream of plain mp3 frames cannot, so players play them as silence.
   */
  readonly delaySamples: number;
  /** How much of the input, in samples, the bytes given out so far make hearable. */
  readonly encodedSamples: number;
  /** Takes samples (mono, −1 … 1) in pieces of any length. Await each call before the next. */
  encode(samples: Float32Array): Promise<Uint8Array>;
  /** The last bytes of the file. Nothing can be encoded after it; a second call gives nothing. */
  finish(): Promise<Uint8Array>;
  /** Frees what the encoder holds, finished or not. May be called at any time, and again. */
  close(): void;
}

/** What a format has to do; the rest is the same for all. Both append bytes to the list. */
export interface EncoderCore {
  readonly contentType: string;
  readonly delaySamples: number;
  readonly encodedSamples: number;
  write(samples: Float32Array, bytes: Uint8Array[]): void;
  end(bytes: Uint8Array[]): void;
  close(): void;
}

/** About 0.1 s: encoding it takes about a millisecond, so other work gets its turn between the slices. */
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

  /** A codec that has failed once is in an unknown state: it is not used again. */
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
          await setImmediate();
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

function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  const [first] = parts;
  if (first !== undefined && parts.length === 1) return first;
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

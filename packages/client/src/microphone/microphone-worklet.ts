/** Runs in the audio thread, as a file of its own: it collects the samples of the microphone in pieces. */
declare const AudioWorkletProcessor: { new (): { readonly port: MessagePort } };
declare function registerProcessor(name: string, processor: unknown): void;

/** 40 ms at 24 kHz. */
const PIECE_SAMPLES = 960;

registerProcessor(
  "parlance-microphone",
  class extends AudioWorkletProcessor {
    #piece = new Int16Array(PIECE_SAMPLES);
    #filled = 0;

    process([input]: readonly (readonly Float32Array[])[]): boolean {
      for (const sample of input?.[0] ?? []) {
        this.#piece[this.#filled++] = Math.max(-1, Math.min(1, sample)) * 32767;
        if (this.#filled < PIECE_SAMPLES) continue;
        this.port.postMessage(this.#piece, [this.#piece.buffer]);
        this.#piece = new Int16Array(PIECE_SAMPLES);
        this.#filled = 0;
      }
      return true;
    }
  },
);

export {};

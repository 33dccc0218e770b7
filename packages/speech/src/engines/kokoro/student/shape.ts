/** Numbers that the student was trained with. Everything is counted in frames of HOP samples, 80 a second. */
export const HOP = 300;
export const FRAME_RATE = 80;
export const FFT_SIZE = 1024;
export const BINS = FFT_SIZE / 2 + 1;
/** Where a frame's window begins, from its first sample: the frame lies in the middle of it. */
export const WINDOW_START = HOP / 2 - FFT_SIZE / 2;
/** Frames on each side that the network sees, and over which a frame's window reaches. */
export const CONTEXT = 25;
export const OVERLAP = 2;
/** Channels of the encoder's output; bins of the source that the network is shown; numbers per frame that it reads. */
export const ASR = 512;
export const LOW_BINS = 64;
export const FEATURES = ASR + 4 + 2 * LOW_BINS;
export const STYLE = 128;
export const CONDITION = STYLE + 2 * ASR + 4;
/** Below this a frame has no voice. */
export const LEAST_PITCH = 10;

/** What the encoder half says of a text: `asr` is [ASR][frames / 2]; pitch (Hz) and energy have a number for each frame. */
export interface Prosody {
  readonly asr: Float32Array;
  readonly pitch: Float32Array;
  readonly energy: Float32Array;
  /** The voice's style; the first STYLE numbers are the decoder's. */
  readonly style: Float32Array;
}

/** The window of analysis and of synthesis. */
export const hann = Float64Array.from(
  { length: FFT_SIZE },
  (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / FFT_SIZE),
);

/** Constants of the trained network. Everything is counted in frames of HOP samples, 80 a second. */
export const HOP = 300;
export const FRAME_RATE = 80;
export const FFT_SIZE = 1024;
export const BINS = FFT_SIZE / 2 + 1;
/** The start of a frame's window relative to its first sample: the frame is in the middle of it. */
export const WINDOW_START = HOP / 2 - FFT_SIZE / 2;
/** Frames on each side that the network uses, and that a frame's window overlaps. */
export const CONTEXT = 25;
/** Rows at the end of a window that the next one starts with: its first layer has no state. */
export const REPEATED = 2;
export const OVERLAP = 2;
/** Its blocks, and the channels of each. */
export const BLOCKS = 8;
export const CHANNELS = 448;
/** Channels of the encoder's output; bins of the source in the features; features per frame. */
export const ASR = 512;
export const LOW_BINS = 64;
export const FEATURES = ASR + 4 + 2 * LOW_BINS;
export const STYLE = 128;
export const CONDITION = STYLE + 2 * ASR + 4;
/** Below this a frame is unvoiced. */
export const MIN_PITCH = 10;

/** The output of the encoder: `asr` is [ASR][frames / 2]; pitch (Hz) and energy have a number for each frame. */
export interface Prosody {
  readonly asr: Float32Array;
  readonly pitch: Float32Array;
  readonly energy: Float32Array;
  /** The voice's style; the decoder uses the first STYLE numbers. */
  readonly style: Float32Array;
}

/** The window of analysis and of synthesis. */
export const hann = Float64Array.from(
  { length: FFT_SIZE },
  (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / FFT_SIZE),
);

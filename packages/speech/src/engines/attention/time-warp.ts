/*
 * While a decoder writes a token, it attends to the part of the audio where the token is spoken. The monotonic path through the
 * table of tokens and frames with the highest total attention gives the time of each token.
 */

/** The attention of each token (row) to each audio frame, in one table for each attention head. */
export interface Attention {
  readonly tokens: number;
  readonly frames: number;
  /** Row by row. */
  readonly heads: readonly Float32Array[];
}

/** Frames over which a head's attention is smoothed by a median filter, to remove outliers. */
const SMOOTHED_FRAMES = 7;

/** The frame at which each token starts, in order and never decreasing. */
export function tokenStarts(attention: Attention): number[] {
  return forwardPath(meanAttention(attention), attention.tokens, attention.frames);
}

/** The mean of the heads. Each one is standardized first, so that none dominates. */
export function meanAttention({ tokens, frames, heads }: Attention): Float32Array {
  const sum = new Float32Array(tokens * frames);
  for (const head of heads) {
    const even = smoothed(standardized(head, tokens, frames), tokens, frames);
    for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] ?? 0) + (even[at] ?? 0) / heads.length;
  }
  return sum;
}

/** For each frame: the attention of a token in standard deviations from the mean of all tokens. */
function standardized(head: Float32Array, tokens: number, frames: number): Float32Array {
  const mean = new Float64Array(frames);
  const scale = new Float64Array(frames);
  for (let token = 0; token < tokens; token++) {
    for (let frame = 0; frame < frames; frame++) {
      const value = head[token * frames + frame] ?? 0;
      mean[frame] = (mean[frame] ?? 0) + value / tokens;
      scale[frame] = (scale[frame] ?? 0) + (value * value) / tokens;
    }
  }
  for (let frame = 0; frame < frames; frame++) {
    scale[frame] = 1 / Math.sqrt(Math.max((scale[frame] ?? 0) - (mean[frame] ?? 0) ** 2, 1e-12));
  }
  const result = new Float32Array(head.length);
  for (let token = 0; token < tokens; token++) {
    for (let frame = 0; frame < frames; frame++) {
      const at = token * frames + frame;
      result[at] = ((head[at] ?? 0) - (mean[frame] ?? 0)) * (scale[frame] ?? 0);
    }
  }
  return result;
}

function smoothed(values: Float32Array, tokens: number, frames: number): Float32Array {
  if (frames < SMOOTHED_FRAMES) return values;
  const result = new Float32Array(values.length);
  const half = (SMOOTHED_FRAMES - 1) / 2;
  // Beyond its ends the row is mirrored.
  const row = new Float32Array(frames + 2 * half);
  for (let token = 0; token < tokens; token++) {
    const start = token * frames;
    for (let i = 0; i < row.length; i++) row[i] = values[start + mirrored(i - half, frames)] ?? 0;
    for (let frame = 0; frame < frames; frame++) result[start + frame] = medianAt(row, frame);
  }
  return result;
}

const window = new Float32Array(SMOOTHED_FRAMES);

/** The median of the values from here on. Sorted by insertion: calling `sort` takes ten times as long, a tenth of all work. */
function medianAt(row: Float32Array, from: number): number {
  for (let count = 0; count < SMOOTHED_FRAMES; count++) {
    const value = row[from + count] ?? 0;
    let at = count;
    for (; at > 0 && (window[at - 1] ?? 0) > value; at--) window[at] = window[at - 1] ?? 0;
    window[at] = value;
  }
  return window[(SMOOTHED_FRAMES - 1) / 2] ?? 0;
}

function mirrored(index: number, length: number): number {
  if (index < 0) return -index;
  return index >= length ? 2 * length - 2 - index : index;
}

/** Dynamic time warping: the first frame of each row on the path from corner to corner with the highest sum. */
function forwardPath(gain: Float32Array, tokens: number, frames: number): number[] {
  const width = frames + 1;
  const best = new Float32Array((tokens + 1) * width).fill(Number.NEGATIVE_INFINITY);
  // The step to each cell: 0 from the previous token and frame, 1 from the previous token, 2 from the previous frame.
  const from = new Uint8Array((tokens + 1) * width);
  best[0] = 0;
  for (let token = 1; token <= tokens; token++) {
    for (let frame = 1; frame <= frames; frame++) {
      const both = best[(token - 1) * width + frame - 1] ?? 0;
      const tokenOnly = best[(token - 1) * width + frame] ?? 0;
      const frameOnly = best[token * width + frame - 1] ?? 0;
      const step = both >= tokenOnly && both >= frameOnly ? 0 : tokenOnly >= frameOnly ? 1 : 2;
      const at = token * width + frame;
      best[at] = (gain[(token - 1) * frames + frame - 1] ?? 0) + Math.max(both, tokenOnly, frameOnly);
      from[at] = step;
    }
  }
  const starts = new Array<number>(tokens).fill(0);
  for (let token = tokens, frame = frames; token > 0 && frame > 0; ) {
    starts[token - 1] = frame - 1;
    const step = from[token * width + frame];
    if (step !== 2) token--;
    if (step !== 1) frame--;
  }
  return starts;
}

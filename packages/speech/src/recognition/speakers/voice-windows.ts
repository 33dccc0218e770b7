import type { Region } from "../speech-regions.ts";

/** In less speech, voices cannot be distinguished; in more, two people may have spoken. */
const WINDOW_SECONDS = 1.5;
const STEP_SECONDS = 0.5;
/** Regions that are shorter have no window: "Yes." says too little about a voice. */
const MIN_SECONDS = 0.4;
/** Windows of one recording. Clustering compares each with each. In longer recordings the step is longer. */
export const MAX_WINDOWS = 3000;

/** Overlapping windows of speech, none of which reaches over a silence. */
export function planWindows(regions: readonly Region[]): Region[] {
  const seconds = regions.reduce((sum, { from, to }) => sum + to - from, 0);
  // Each region has a window at its end besides.
  const free = Math.max(1, MAX_WINDOWS - regions.length);
  const step = Math.max(STEP_SECONDS, seconds / free);
  const windows = regions.flatMap((region) => windowsOf(region, step));
  // Thousands of short regions: every second, third or further window.
  const keep = Math.ceil(windows.length / MAX_WINDOWS);
  return windows.filter((_, index) => index % keep === 0);
}

function windowsOf({ from, to }: Region, step: number): Region[] {
  if (to - from < MIN_SECONDS) return [];
  const windows: Region[] = [];
  for (let start = from; start + WINDOW_SECONDS < to; start += step) {
    windows.push({ from: start, to: start + WINDOW_SECONDS });
  }
  return [...windows, { from: Math.max(from, to - WINDOW_SECONDS), to }];
}

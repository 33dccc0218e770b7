import { formatClock } from "../../lib/format.ts";

/** With as many digits as are needed to compare durations: 0.42 ms, 8.1 ms, 420 ms, 1.24 s, 75 s. */
export function formatDuration(ms: number): string {
  if (ms === 0) return "0 ms";
  if (ms < 1) return `${ms.toFixed(2)} ms`;
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(2)} s`;
  return `${Math.round(ms / 1000)} s`;
}

/** The length of audio: 0.7 s, 12.4 s, 1:15. */
export function formatAudio(seconds: number): string {
  return seconds < 60 ? `${seconds.toFixed(1)} s` : formatClock(seconds);
}

/** What the microphone has given so far, and in the last seconds. */
export interface LevelState {
  readonly seconds: number;
  /** Peaks of the last seconds, newest last, with their times. */
  readonly recent: readonly { readonly at: number; readonly peak: number }[];
}

export const NO_LEVEL: LevelState = { seconds: 0, recent: [] };

/** A recording of this length makes a good voice. */
export const GOOD_SECONDS = 10;
const RECENT_SECONDS = 3;
const QUIET_PEAK = 0.06;
const CLIPPED_PEAK = 0.99;

export function addLevel({ recent }: LevelState, seconds: number, peak: number): LevelState {
  const kept = recent.filter(({ at }) => at <= seconds && at > seconds - RECENT_SECONDS);
  return { seconds, recent: [...kept, { at: seconds, peak }] };
}

export interface Hint {
  readonly kind: "quiet" | "clipping" | "short" | "good";
  readonly text: string;
}

/** What to do now. Faults of the sound come before the length: more of it would not help. */
export function hintOf({ seconds, recent }: LevelState): Hint {
  const peak = recent.reduce((highest, each) => Math.max(highest, each.peak), 0);
  if (peak >= CLIPPED_PEAK) return { kind: "clipping", text: "Too loud, it clips: move away from the microphone." };
  if (seconds >= RECENT_SECONDS && peak < QUIET_PEAK)
    return { kind: "quiet", text: "Too quiet: move closer to the microphone, or choose another one." };
  const missing = Math.ceil(GOOD_SECONDS - seconds);
  if (missing > 0) return { kind: "short", text: `Go on reading: ${missing} more seconds give a closer match.` };
  return { kind: "good", text: "Good. Read to the end, or stop here." };
}

/** Milliseconds on a clock that cannot be set: for durations. It begins near the time of day at the start of the process. */
export const monotonicNow = (): number => performance.timeOrigin + performance.now();

/** RFC 3339 in UTC with milliseconds, so that times sort as text. */
export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/** RFC 3339 in UTC with milliseconds, so that times sort as text. */
export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

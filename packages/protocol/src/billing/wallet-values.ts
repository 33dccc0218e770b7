import { apiError, describeValue } from "../wire/api-error.ts";

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/i;

/** A time in the past or future, as it is stored: in UTC. Throws the 400 that says what is wrong. */
export function checkTime(value: string, field: string): string {
  const time = new Date(TIME.test(value) ? value : Number.NaN);
  if (!Number.isNaN(time.getTime()) && time.getUTCFullYear() >= 1970 && time.getUTCFullYear() < 10_000) {
    return time.toISOString();
  }
  throw apiError("invalid_value", {
    field,
    value: describeValue(value),
    allowed: "it must be a time such as 2030-01-31T12:00:00Z",
  });
}

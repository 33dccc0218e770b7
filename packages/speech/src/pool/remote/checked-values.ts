/** Checks of what other processes send. With the password of NATS anybody can, and a mistake of one must not end the others. */

export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isShortText(value: unknown): value is string {
  return typeof value === "string" && value.length > 0 && value.length <= 256;
}

/** A number from 0 to this one. NaN is none. */
export function isUpTo(max: number, value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= max;
}

/** As many finite numbers. */
export function isFloats(length: number, value: unknown): value is Float32Array {
  return value instanceof Float32Array && value.length === length && value.every(Number.isFinite);
}

export function isCount(max: number, value: unknown): value is number {
  return isUpTo(max, value) && Number.isInteger(value);
}

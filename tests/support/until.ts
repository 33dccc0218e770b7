import { setTimeout as sleep } from "node:timers/promises";

export interface UntilOptions {
  /** What is waited for, for the message when it does not come. */
  readonly what?: string;
  readonly seconds?: number;
  readonly everyMs?: number;
}

/**
 * Waits until a condition holds and returns its value. Every loop of the tests that polls is this one, so that each has
 * a deadline. A condition that throws fails the test at once.
 */
export async function until<Value>(
  condition: () => Value | Promise<Value>,
  { what = String(condition), seconds = 60, everyMs = 5 }: UntilOptions = {},
): Promise<Exclude<Value, undefined | null | false>> {
  const deadline = performance.now() + seconds * 1000;
  for (;;) {
    const value = await condition();
    if (isMet(value)) return value;
    if (performance.now() > deadline) throw new Error(`waited ${seconds} seconds in vain: ${what}`);
    await sleep(everyMs);
  }
}

function isMet<Value>(value: Value): value is Exclude<Value, undefined | null | false> {
  return value !== undefined && value !== null && value !== false;
}

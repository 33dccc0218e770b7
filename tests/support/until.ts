import { setTimeout as sleep } from "node:timers/promises";

export interface UntilOptions {
  /** What is waited for. Default: the source of the probe. */
  readonly what?: string;
  readonly timeoutMs?: number;
  readonly everyMs?: number;
}

/** Polls until the probe returns something other than false and undefined, and returns that. Throws at the deadline. */
export async function until<Value>(
  probe: () => Value | Promise<Value>,
  { what = probe.toString(), timeoutMs = 60_000, everyMs = 5 }: UntilOptions = {},
): Promise<Exclude<Value, false | undefined>> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const value = await probe();
    if (value !== false && value !== undefined) return value as Exclude<Value, false | undefined>;
    if (performance.now() > deadline) throw new Error(`not reached within ${timeoutMs} ms: ${what}`);
    await sleep(everyMs);
  }
}

/** Waits until a number is the same at two looks in a row, and returns it. */
export async function untilSteady(value: () => number, everyMs = 150): Promise<number> {
  let last: number | undefined;
  await until(
    () => {
      const before = last;
      last = value();
      return last === before;
    },
    { what: `${value} no longer changes`, everyMs },
  );
  return value();
}

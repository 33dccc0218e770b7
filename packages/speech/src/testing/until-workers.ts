import { until } from "../../../../tests/support/until.ts";

/** Workers have to start and load a model, which takes long on a busy machine. */
export function untilWorkers(condition: () => boolean, what: string): Promise<boolean> {
  return until(condition, { what, timeoutMs: 120_000, everyMs: 50 });
}

import { setMaxListeners } from "node:events";

/** One hostile client: what it does to the server, until it is done or the signal aborts. */
export interface Attack {
  readonly name: string;
  run(target: Target, signal: AbortSignal): Promise<AttackResult>;
}

export interface Target {
  readonly url: string;
  /** The attacker's own key: every attack comes from an account in good standing. */
  readonly key: string;
}

export interface AttackResult {
  /** How many requests got which status; a socket counts by its close code, 0 is a connection that was cut. */
  readonly statuses: Readonly<Record<string, number>>;
  /** The largest response body or frame that came back, in bytes. */
  readonly largestResponseBytes: number;
}

export function collectResults(results: readonly { readonly status: number; readonly bytes: number }[]): AttackResult {
  const statuses: Record<string, number> = {};
  for (const { status } of results) statuses[status] = (statuses[status] ?? 0) + 1;
  return { statuses, largestResponseBytes: Math.max(0, ...results.map(({ bytes }) => bytes)) };
}

/** Aborts after the time. Every socket of an attack listens to it, and there may be hundreds. */
export function attackDeadline(milliseconds: number): AbortSignal {
  const signal = AbortSignal.timeout(milliseconds);
  setMaxListeners(0, signal);
  return signal;
}

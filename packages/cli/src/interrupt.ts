import { Interruption } from "./errors.ts";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Runs work that Ctrl-C ends: the first signal aborts it so that it can clean up, the second one ends the process. */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const onSignal = (signal: NodeJS.Signals): void => {
    const name = signals.find((known) => known === signal) ?? "SIGTERM";
    const interruption = new Interruption(name);
    if (stop.signal.aborted) process.exit(interruption.exitCode);
    stop.abort(interruption);
  };
  for (const signal of signals) process.on(signal, onSignal);
  try {
    return await work(stop.signal);
  } catch (error) {
    // Errors that follow from the abort are reported as the interruption.
    throw stop.signal.aborted ? stop.signal.reason : error;
  } finally {
    for (const signal of signals) process.off(signal, onSignal);
  }
}

import { Interruption } from "./errors.ts";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Runs work that Ctrl-C ends: the first time it is told to stop and may tidy up, the second time the process ends. */
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
    // whatever broke because of the stop, it is the stop that is reported
    throw stop.signal.aborted ? stop.signal.reason : error;
  } finally {
    for (const signal of signals) process.off(signal, onSignal);
  }
}

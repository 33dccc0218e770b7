import { withSignals } from "@parlance/speech";

const CONNECT_TIMEOUT_MS = 15_000;

/** Fails at once for a wrong address, instead of after a minute of retries. Any response counts. */
export async function assertReachable(url: string, signal: AbortSignal, timeoutMs = CONNECT_TIMEOUT_MS): Promise<void> {
  try {
    await withSignals([signal, AbortSignal.timeout(timeoutMs)], (ending) =>
      fetch(new URL("/health/live", url), { signal: ending }),
    );
  } catch (error) {
    signal.throwIfAborted();
    const reason = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    throw new Error(`${url} cannot be reached: ${reason}`, { cause: error });
  }
}

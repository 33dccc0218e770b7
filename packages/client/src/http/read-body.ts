import { TRACE_ID_HEADER } from "@parlance/protocol";
import { ConnectionError, describe, type OpenResponse } from "./connection.ts";

/**
 * The bytes of a response as they arrive. Leaving the loop cancels the transfer, and the server stops working.
 * Throws when the transfer breaks off, because the file is then incomplete.
 */
export async function* readBody(
  { response, cancel, done }: OpenResponse,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  const traceId = response.headers.get(TRACE_ID_HEADER) ?? undefined;
  let whole = false;
  try {
    for (;;) {
      const timer = setTimeout(() => cancel(new Error(`nothing received for ${timeoutMs} ms`)), timeoutMs);
      const step = await reader.read().finally(() => clearTimeout(timer));
      if (step.done) break;
      yield step.value;
    }
    whole = true;
  } catch (error) {
    signal?.throwIfAborted();
    throw new ConnectionError(`The audio broke off: ${describe(error)}`, error, traceId);
  } finally {
    done();
    if (!whole) cancel(new Error("the response is no longer read"));
  }
}

import { TRACE_ID_HEADER } from "@parlance/protocol";
import { type Answer, ConnectionError, describe } from "./connection.ts";

/**
 * The bytes of an answer as they come. Breaking out of the loop ends the transfer, and with it the server's work.
 * A transfer that breaks off throws: what came until then is not the whole file.
 */
export async function* readBody(
  { response, cancel, done }: Answer,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  const traceId = response.headers.get(TRACE_ID_HEADER) ?? undefined;
  let whole = false;
  try {
    for (;;) {
      const timer = setTimeout(() => cancel(new Error(`nothing came for ${timeoutMs} ms`)), timeoutMs);
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
    if (!whole) cancel(new Error("no longer wanted"));
  }
}

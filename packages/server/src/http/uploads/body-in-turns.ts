import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { takeTurn } from "@parlance/speech";

/**
 * The body of a request, one chunk of it in a turn of the event loop. Node reads up to 2 MiB of each connection in one turn, and a
 * parser that is fed all of them at once would delay other requests.
 */
export function bodyInTurns(raw: IncomingMessage): Readable {
  const chunks = raw.iterator({ destroyOnReturn: false });
  // Reading starts in this turn: a body that is watched would flow away without a reader.
  const first = chunks.next();
  first.catch(() => {});
  return Readable.from(oneInATurn(first, chunks));
}

async function* oneInATurn(
  first: Promise<IteratorResult<Uint8Array>>,
  chunks: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    for (let next = await first; next.done !== true; next = await chunks.next()) {
      yield next.value;
      await takeTurn();
    }
  } finally {
    await chunks.return?.();
  }
}

import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { takeTurn } from "@parlance/speech";

/** A parser takes some milliseconds for this many bytes at worst: thousands of empty parts. */
const SLICE_BYTES = 16 * 1024;

/**
 * The body of a request, a slice of it in a turn of the event loop. Node reads up to 2 MiB of each connection in one turn, and a
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
      for (let start = 0; start < next.value.length; start += SLICE_BYTES) {
        yield next.value.subarray(start, start + SLICE_BYTES);
        await takeTurn();
      }
    }
  } finally {
    await chunks.return?.();
  }
}

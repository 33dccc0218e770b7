/** Reads a stream of byte chunks in sizes of the reader's choice. */
export interface ByteReader {
  /** The next bytes, without consuming them: as many as requested, fewer only at the end. */
  peek(count: number): Promise<Uint8Array>;
  /** Consumes and returns the next bytes: at least one, at most `max`; undefined at the end. */
  some(max: number): Promise<Uint8Array | undefined>;
}

const EMPTY = new Uint8Array(0);

export function createByteReader(chunks: AsyncIterator<Uint8Array>): ByteReader {
  let held: Uint8Array = EMPTY;
  let ended = false;
  const fill = async (count: number): Promise<void> => {
    while (held.length < count && !ended) {
      const step = await chunks.next();
      if (step.done === true) ended = true;
      else held = held.length === 0 ? step.value : joined(held, step.value);
    }
  };
  return {
    async peek(count) {
      await fill(count);
      return held.subarray(0, count);
    },
    async some(max) {
      await fill(1);
      if (held.length === 0) return undefined;
      const taken = held.subarray(0, max);
      held = held.subarray(taken.length);
      return taken;
    },
  };
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

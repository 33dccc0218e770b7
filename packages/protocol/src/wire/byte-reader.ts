/** Takes bytes that arrive in pieces apart in pieces of another size. */
export interface ByteReader {
  /** The next bytes, which stay where they are: as many as asked for, fewer only at the end. */
  peek(count: number): Promise<Uint8Array>;
  /** The next bytes, at least one and at most as many as asked for; undefined at the end. They are gone then. */
  some(most: number): Promise<Uint8Array | undefined>;
}

const NOTHING = new Uint8Array(0);

export function createByteReader(chunks: AsyncIterator<Uint8Array>): ByteReader {
  let held: Uint8Array = NOTHING;
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
    async some(most) {
      await fill(1);
      if (held.length === 0) return undefined;
      const taken = held.subarray(0, most);
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

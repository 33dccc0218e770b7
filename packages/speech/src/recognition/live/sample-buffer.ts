/** The last samples of a stream, at their positions in it. */
export interface SampleBuffer {
  /** The position behind the last sample. */
  readonly end: number;
  push(samples: Int16Array): void;
  /** A copy; without what was dropped or has not come yet. */
  slice(from: number, to: number): Int16Array<ArrayBuffer>;
  /** Forgets what lies before this position. */
  drop(before: number): void;
}

/** Samples are kept in blocks of one size, however small the pieces are in which they come. */
const BLOCK = 8000;

export function createSampleBuffer(): SampleBuffer {
  let blocks: Int16Array[] = [];
  /** The position of the first block. */
  let start = 0;
  let end = 0;
  return {
    get end() {
      return end;
    },
    push(samples) {
      for (let done = 0; done < samples.length; ) {
        const used = end - start - BLOCK * Math.max(0, blocks.length - 1);
        let block = blocks.at(-1);
        if (block === undefined || used === BLOCK) {
          block = new Int16Array(BLOCK);
          blocks.push(block);
        }
        const at = used % BLOCK;
        const part = samples.subarray(done, done + BLOCK - at);
        block.set(part, at);
        done += part.length;
        end += part.length;
      }
    },
    slice(from, to) {
      const first = Math.max(from, start);
      const result = new Int16Array(Math.max(0, Math.min(to, end) - first));
      for (let done = 0; done < result.length; ) {
        const position = first + done - start;
        const block = blocks[Math.floor(position / BLOCK)] ?? new Int16Array(BLOCK);
        const at = position % BLOCK;
        const part = block.subarray(at, at + result.length - done);
        result.set(part, done);
        done += part.length;
      }
      return result;
    },
    drop(before) {
      const count = Math.min(Math.floor((before - start) / BLOCK), blocks.length - 1);
      if (count <= 0) return;
      blocks = blocks.slice(count);
      start += count * BLOCK;
    },
  };
}

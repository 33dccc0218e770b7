import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";

/**
 * How much each n-gram of UTF-8 bytes says for each of some languages. The file, compressed with Brotli, little-endian: the
 * number of n-grams (uint32), their keys in ascending order (float64), and a row of scores for each (a byte for each language).
 * Typed arrays take 0.2 MB, where an object for each n-gram takes 30 MB and its source 50 MB more.
 */
export interface NgramTable {
  readonly keys: Float64Array;
  readonly scores: Uint8Array;
}

/** The longest n-gram. */
export const NGRAM_BYTES = 4;

const HEAD_BYTES = 8;
const decompress = promisify(brotliDecompress);

/** Up to four bytes of a word, none of them zero, as one number. */
export function ngramKey(bytes: Uint8Array, isStart: boolean, isEnd: boolean): number {
  let key = 0;
  for (let index = 0; index < NGRAM_BYTES; index++) key = key * 256 + (bytes[index] ?? 0);
  return key * 4 + (isStart ? 2 : 0) + (isEnd ? 1 : 0);
}

export function packNgrams({ keys, scores }: NgramTable): Uint8Array {
  const file = new Uint8Array(HEAD_BYTES + keys.byteLength + scores.length);
  const view = new DataView(file.buffer);
  view.setUint32(0, keys.length, true);
  keys.forEach((key, index) => {
    view.setFloat64(HEAD_BYTES + index * keys.BYTES_PER_ELEMENT, key, true);
  });
  file.set(scores, HEAD_BYTES + keys.byteLength);
  return file;
}

export async function readNgrams(file: URL): Promise<NgramTable> {
  const packed = await decompress(await readFile(file));
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const keys = new Float64Array(view.getUint32(0, true));
  for (let index = 0; index < keys.length; index++)
    keys[index] = view.getFloat64(HEAD_BYTES + index * keys.BYTES_PER_ELEMENT, true);
  return { keys, scores: new Uint8Array(packed.subarray(HEAD_BYTES + keys.byteLength)) };
}

/** The row of an n-gram, -1 where it is not in the table. */
export function findNgram(keys: Float64Array, key: number): number {
  let [from, to] = [0, keys.length - 1];
  while (from <= to) {
    const middle = (from + to) >> 1;
    const found = keys[middle] ?? 0;
    if (found === key) return middle;
    if (found < key) from = middle + 1;
    else to = middle - 1;
  }
  return -1;
}

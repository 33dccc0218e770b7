import { fstatSync, readSync } from "node:fs";
import { AVERROR_EIO, AVSEEK_CUR, AVSEEK_END, AVSEEK_SET, AVSEEK_SIZE } from "node-av/constants";
import { IOContext } from "node-av/lib";

const BUFFER_BYTES = 64 * 1024;
const ID3_HEADER_BYTES = 10;
/** Files with several tags exist; valid files do not have many. */
const MAX_TAGS = 8;

/**
 * Passes one open file to FFmpeg, so that FFmpeg needs no access to the file system. ID3 tags at the start are skipped: behind
 * a tag with a large picture FFmpeg does not find the audio when it probes the format.
 */
export function createFileInput(file: number): IOContext {
  const start = endOfTags(file);
  const size = fstatSync(file).size - start;
  let position = 0;

  function read(bytes: number): Buffer | number | null {
    const chunk = Buffer.allocUnsafe(Math.max(0, Math.min(bytes, size - position)));
    if (chunk.length === 0) return null;
    try {
      const count = readSync(file, chunk, 0, chunk.length, start + position);
      position += count;
      return count === 0 ? null : chunk.subarray(0, count);
    } catch {
      return AVERROR_EIO;
    }
  }

  function seek(offset: bigint, whence: number): bigint {
    if (whence === AVSEEK_SIZE) return BigInt(size);
    const from = { [AVSEEK_SET]: 0, [AVSEEK_CUR]: position, [AVSEEK_END]: size }[whence];
    const to = (from ?? Number.NaN) + Number(offset);
    // A position past the end is allowed: the next read returns nothing.
    if (!(to >= 0 && Number.isSafeInteger(to))) return -1n;
    position = to;
    return BigInt(to);
  }

  const context = new IOContext();
  context.allocContextWithCallbacks(BUFFER_BYTES, 0, read, undefined, seek);
  return context;
}

function endOfTags(file: number): number {
  const header = Buffer.alloc(ID3_HEADER_BYTES);
  let at = 0;
  for (let tags = 0; tags < MAX_TAGS; tags++) {
    const read = readSync(file, header, 0, ID3_HEADER_BYTES, at);
    if (read < ID3_HEADER_BYTES || header.toString("latin1", 0, 3) !== "ID3") break;
    // Seven bits in each byte; with the eighth bit set it is not a tag.
    const sizes = [...header.subarray(6, 10)];
    if (sizes.some((byte) => byte > 127)) break;
    const hasFooter = ((header[5] ?? 0) & 0x10) !== 0;
    at += ID3_HEADER_BYTES + sizes.reduce((sum, byte) => sum * 128 + byte, 0) + (hasFooter ? ID3_HEADER_BYTES : 0);
  }
  return Math.min(at, fstatSync(file).size);
}

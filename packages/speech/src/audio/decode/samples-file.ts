import { type FileHandle, open } from "node:fs/promises";

/** A decoded file: mono samples of 16 bits, little-endian. */
export interface SamplesFile {
  /** The number of samples. */
  readonly samples: number;
  /** Samples `from` to `to` (exclusive) as numbers from -1 to 1; fewer where the file ends earlier. */
  read(from: number, to: number): Promise<Float32Array>;
  close(): Promise<void>;
}

const BYTES_PER_SAMPLE = 2;
const FULL_SCALE = 32768;

export async function openSamples(path: string): Promise<SamplesFile> {
  const file = await open(path, "r");
  const { size } = await file.stat();
  const samples = Math.floor(size / BYTES_PER_SAMPLE);
  return {
    samples,
    async read(from, to) {
      const first = Math.max(0, from);
      const count = Math.max(0, Math.min(to, samples) - first);
      return toNumbers(await readBytes(file, first * BYTES_PER_SAMPLE, count * BYTES_PER_SAMPLE));
    },
    close: () => file.close(),
  };
}

/** Cuts samples `from` to `to` (exclusive) out of a decoded file, for a machine that does not have it. */
export async function readPcm(path: string, from: number, to: number): Promise<Int16Array<ArrayBuffer>> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const start = Math.max(0, from) * BYTES_PER_SAMPLE;
    const bytes = await readBytes(file, start, Math.max(0, Math.min(to * BYTES_PER_SAMPLE, size) - start));
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return Int16Array.from({ length: Math.floor(bytes.length / BYTES_PER_SAMPLE) }, (_, index) =>
      view.getInt16(BYTES_PER_SAMPLE * index, true),
    );
  } finally {
    await file.close();
  }
}

/** Reads one part of a decoded file. */
export async function readSamples(path: string, from: number, to: number): Promise<Float32Array> {
  const file = await openSamples(path);
  try {
    return await file.read(from, to);
  } finally {
    await file.close();
  }
}

function toNumbers(bytes: Uint8Array): Float32Array {
  const values = new Float32Array(Math.floor(bytes.length / BYTES_PER_SAMPLE));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let i = 0; i < values.length; i++) values[i] = view.getInt16(BYTES_PER_SAMPLE * i, true) / FULL_SCALE;
  return values;
}

async function readBytes(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

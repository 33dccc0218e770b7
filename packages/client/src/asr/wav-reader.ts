import type { ByteSource, Pcm } from "./types.ts";

interface Format {
  readonly kind: "integer" | "float";
  readonly channels: number;
  readonly sampleRate: number;
  readonly bits: number;
}

interface DataChunk {
  readonly start: number;
  readonly bytes: number;
}

const READ_BYTES = 1024 * 1024;
/** A length that programs write when they do not know it yet, and that RF64 uses for "see the chunk ds64". */
const UNKNOWN = 0xffffffff;
/** A file with more chunks before its audio is not a usable WAV file. */
const MAX_CHUNKS = 64;

/** Undefined when it is not a WAV file, or one with compressed samples. */
export async function openWav(file: ByteSource): Promise<Pcm | undefined> {
  const found = await readChunks(file);
  if (found === undefined) return undefined;
  const { format, data } = found;
  const blockBytes = (format.channels * format.bits) / 8;
  const frames = Math.floor(data.bytes / blockBytes);
  return {
    sampleRate: format.sampleRate,
    seconds: frames / format.sampleRate,
    samples: readFrames(file, data.start, frames, blockBytes, format),
  };
}

async function readChunks(file: ByteSource): Promise<{ format: Format; data: DataChunk } | undefined> {
  const head = await file.read(0, 12);
  if (head.length < 12 || !["RIFF", "RF64"].includes(name(head, 0)) || name(head, 8) !== "WAVE") return undefined;
  let format: Format | undefined;
  let large: number | undefined;
  for (let at = 12, chunks = 0; chunks < MAX_CHUNKS; chunks += 1) {
    const header = await file.read(at, at + 8 + 40);
    if (header.length < 8) return undefined;
    const view = new DataView(header.buffer, header.byteOffset, header.byteLength);
    const size = view.getUint32(4, true);
    const start = at + 8;
    const id = name(header, 0);
    if (id === "fmt ") format = readFormat(view);
    if (id === "ds64" && header.length >= 24) large = Number(view.getBigUint64(16, true));
    if (id === "data") {
      if (format === undefined) return undefined;
      const rest = file.size - start;
      const announced = size === UNKNOWN ? (large ?? rest) : size;
      // Zero: the program that wrote the file was stopped before it could write the length.
      return { format, data: { start, bytes: announced === 0 ? rest : Math.min(announced, rest) } };
    }
    // Chunks start at even offsets.
    at = start + size + (size % 2);
  }
  return undefined;
}

function readFormat(view: DataView): Format | undefined {
  if (view.byteLength < 24) return undefined;
  const size = view.getUint32(4, true);
  const tag = view.getUint16(8, true);
  // WAVE_FORMAT_EXTENSIBLE: the format tag is in the extension.
  const kindTag = tag === 0xfffe && size >= 40 && view.byteLength >= 34 ? view.getUint16(32, true) : tag;
  const kind = kindTag === 1 ? "integer" : kindTag === 3 ? "float" : undefined;
  const [channels, sampleRate, bits] = [view.getUint16(10, true), view.getUint32(12, true), view.getUint16(22, true)];
  const known = kind === "integer" ? [8, 16, 24, 32] : [32, 64];
  if (kind === undefined || !known.includes(bits)) return undefined;
  if (channels < 1 || channels > 64 || sampleRate < 1000 || sampleRate > 768_000) return undefined;
  return { kind, channels, sampleRate, bits };
}

/** All channels mixed into one. */
async function* readFrames(
  file: ByteSource,
  start: number,
  frames: number,
  blockBytes: number,
  { kind, channels, bits }: Format,
): AsyncGenerator<Float32Array, void, undefined> {
  const read = kind === "float" ? floatReader(bits) : integerReader(bits);
  const framesAtOnce = Math.max(1, Math.floor(READ_BYTES / blockBytes));
  for (let frame = 0; frame < frames; frame += framesAtOnce) {
    const count = Math.min(framesAtOnce, frames - frame);
    const from = start + frame * blockBytes;
    const bytes = await file.read(from, from + count * blockBytes);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const mono = new Float32Array(Math.floor(bytes.length / blockBytes));
    for (let i = 0; i < mono.length; i += 1) {
      let sum = 0;
      for (let channel = 0; channel < channels; channel += 1) sum += read(view, i * blockBytes + (channel * bits) / 8);
      mono[i] = sum / channels;
    }
    yield mono;
  }
}

type ReadSample = (view: DataView, at: number) => number;

function integerReader(bits: number): ReadSample {
  if (bits === 8) return (view, at) => (view.getUint8(at) - 128) / 128;
  if (bits === 16) return (view, at) => view.getInt16(at, true) / 32_768;
  if (bits === 24) return (view, at) => (view.getInt16(at + 1, true) * 256 + view.getUint8(at)) / 8_388_608;
  return (view, at) => view.getInt32(at, true) / 2_147_483_648;
}

function floatReader(bits: number): ReadSample {
  const read: ReadSample =
    bits === 32 ? (view, at) => view.getFloat32(at, true) : (view, at) => view.getFloat64(at, true);
  return (view, at) => {
    const value = read(view, at);
    return Number.isFinite(value) ? Math.max(-1, Math.min(1, value)) : 0;
  };
}

function name(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4));
}

/** The sample formats of a WAV file. */
export type WavSamples = "u8" | "s16" | "s24" | "s32" | "s64" | "f32" | "f64" | "alaw" | "ulaw";

export interface WavOptions {
  readonly sampleRate: number;
  readonly samples?: WavSamples;
  readonly extensible?: boolean;
  /** Blocks between the format and the data, as other programs put them: lists, tags, padding of odd length. */
  readonly chunks?: readonly { readonly name: string; readonly bytes: Uint8Array }[];
  /** Written instead of the true size, of the data and of the whole. */
  readonly sizes?: number;
}

const WIDTH = { u8: 1, s16: 2, s24: 3, s32: 4, s64: 8, f32: 4, f64: 8, alaw: 1, ulaw: 1 } as const;
const PCM = 1;
const FLOAT = 3;
const ALAW = 6;
const ULAW = 7;
const EXTENSIBLE = 0xfffe;
const TAG = {
  u8: PCM,
  s16: PCM,
  s24: PCM,
  s32: PCM,
  s64: PCM,
  f32: FLOAT,
  f64: FLOAT,
  alaw: ALAW,
  ulaw: ULAW,
} as const;
/** The rest of the identifier of a format's kind, after its first two bytes. */
const GUID_REST = Buffer.from("000000001000800000aa00389b71", "hex");

export function wavFile(channels: readonly Float32Array[], options: WavOptions): Buffer {
  const samples = options.samples ?? "s16";
  const width = WIDTH[samples];
  const length = channels[0]?.length ?? 0;
  const data = Buffer.alloc(length * width * channels.length);
  channels.forEach((channel, c) => {
    channel.forEach((value, i) => {
      writeSample(data, (i * channels.length + c) * width, samples, value);
    });
  });
  const blocks = [
    chunk("fmt ", formatOf(channels.length, samples, options)),
    ...(options.chunks ?? []).map(({ name, bytes }) => chunk(name, bytes)),
    chunk("data", data, options.sizes),
  ];
  const body = Buffer.concat([Buffer.from("WAVE", "latin1"), ...blocks]);
  return chunk("RIFF", body, options.sizes);
}

function formatOf(channels: number, samples: WavSamples, { sampleRate, extensible }: WavOptions): Buffer {
  const width = WIDTH[samples];
  const format = Buffer.alloc(extensible ? 40 : 16);
  format.writeUInt16LE(extensible ? EXTENSIBLE : TAG[samples], 0);
  format.writeUInt16LE(channels, 2);
  format.writeUInt32LE(sampleRate, 4);
  format.writeUInt32LE((sampleRate * channels * width) >>> 0, 8);
  format.writeUInt16LE(channels * width, 12);
  format.writeUInt16LE(8 * width, 14);
  if (extensible) {
    format.writeUInt16LE(22, 16);
    format.writeUInt16LE(8 * width, 18);
    format.writeUInt16LE(TAG[samples], 24);
    GUID_REST.copy(format, 26);
  }
  return format;
}

function chunk(name: string, bytes: Uint8Array, size = bytes.length): Buffer {
  const header = Buffer.alloc(8);
  header.write(name, "latin1");
  header.writeUInt32LE(size, 4);
  // Blocks start at even places.
  return Buffer.concat([header, bytes, Buffer.alloc(bytes.length % 2)]);
}

function writeSample(data: Buffer, at: number, samples: WavSamples, value: number): void {
  const scaled = (bits: number) => Math.max(-(2 ** bits), Math.min(2 ** bits - 1, Math.round(value * 2 ** bits)));
  switch (samples) {
    case "u8":
      return void data.writeUInt8(scaled(7) + 128, at);
    case "s16":
      return void data.writeInt16LE(scaled(15), at);
    case "s24":
      return void data.writeIntLE(scaled(23), at, 3);
    case "s32":
      return void data.writeInt32LE(scaled(31), at);
    case "s64":
      return void data.writeBigInt64LE(BigInt(scaled(31)) << 32n, at);
    case "f32":
      return void data.writeFloatLE(value, at);
    case "f64":
      return void data.writeDoubleLE(value, at);
    case "alaw":
      return void data.writeUInt8(aLaw(scaled(12)), at);
    case "ulaw":
      return void data.writeUInt8(uLaw(scaled(13)), at);
  }
}

/** G.711, of 13 bits with sign. */
function aLaw(value: number): number {
  const magnitude = Math.min(4095, value < 0 ? -value - 1 : value);
  const exponent = Math.max(0, 31 - Math.clz32(magnitude) - 4);
  const mantissa = (magnitude >> Math.max(1, exponent)) & 15;
  return ((value < 0 ? 0 : 0x80) | (exponent << 4) | mantissa) ^ 0x55;
}

/** G.711, of 14 bits with sign. */
function uLaw(value: number): number {
  const magnitude = Math.min(8158, Math.abs(value)) + 33;
  const exponent = 31 - Math.clz32(magnitude) - 5;
  const mantissa = (magnitude >> (exponent + 1)) & 15;
  return ~((value < 0 ? 0x80 : 0) | (exponent << 4) | mantissa) & 0xff;
}

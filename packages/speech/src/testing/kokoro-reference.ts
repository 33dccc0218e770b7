import { ASR, type Prosody } from "../engines/kokoro/student/shape.ts";

export interface Reference {
  /** [T][512], unlike the encoder's output. */
  readonly asr: Float32Array;
  readonly pitch: Float32Array;
  readonly energy: Float32Array;
  readonly style: Float32Array;
  readonly source: Float32Array;
  readonly noise: Float32Array;
  readonly waveform: Float32Array;
}

/** Reads the vectors that export.py wrote: a line of JSON, then the numbers. */
export function readReference(file: Uint8Array): Reference {
  const end = file.indexOf(10);
  const head: Record<string, { type: string; shape: number[] }> = JSON.parse(
    Buffer.from(file.subarray(0, end)).toString(),
  );
  const read: Record<string, Float32Array> = {};
  let at = end + 1;
  for (const [name, { type, shape }] of Object.entries(head)) {
    const count = shape.reduce((product, size) => product * size, 1);
    const width = type === "float16" ? 2 : 4;
    const bytes = new Uint8Array(file.subarray(at, at + count * width));
    const view = new DataView(bytes.buffer);
    read[name] = Float32Array.from({ length: count }, (_, i) =>
      width === 2 ? halfToNumber(view.getUint16(i * 2, true)) : view.getFloat32(i * 4, true),
    );
    at += count * width;
  }
  const take = (name: string): Float32Array => {
    const found = read[name];
    if (!found) throw new Error(`the reference holds no "${name}"`);
    return found;
  };
  return {
    asr: take("asr"),
    pitch: take("pitch"),
    energy: take("energy"),
    style: take("style"),
    source: take("source"),
    noise: take("noise"),
    waveform: take("waveform"),
  };
}

function halfToNumber(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/** The text of the reference. It stores asr by frame, the encoder returns it by channel. */
export function prosodyOf({ asr, pitch, energy, style }: Reference): Prosody {
  const width = asr.length / ASR;
  const columns = asr.map((_, i) => asr[(i % width) * ASR + Math.floor(i / width)] ?? 0);
  return { asr: columns, pitch, energy, style };
}

/** A text several times in a row. */
export function repeatedProsody({ asr, pitch, energy, style }: Prosody, times: number): Prosody {
  const width = asr.length / ASR;
  const again = (values: Float32Array) =>
    Float32Array.from({ length: values.length * times }, (_, i) => values[i % values.length] ?? 0);
  const channels = Float32Array.from({ length: asr.length * times }, (_, i) => {
    const channel = Math.floor(i / (width * times));
    return asr[channel * width + (i % width)] ?? 0;
  });
  return { asr: channels, pitch: again(pitch), energy: again(energy), style };
}

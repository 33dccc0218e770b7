import { wavHeader } from "@parlance/protocol";

/** A WAV file of 16-bit mono. */
export function wavFile(samples: Int16Array, sampleRate: number): Uint8Array<ArrayBuffer> {
  const data = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
  const header = wavHeader({ rate: sampleRate, width: 2, channels: 1 }, { dataBytes: data.length });
  return new Uint8Array(Buffer.concat([header, data]));
}

export interface Burst {
  /** Seconds. */
  readonly start: number;
  readonly end: number;
  /** Hundredths of full scale, 1 to 100. */
  readonly level: number;
}

/** Silence with square waves in it, whose samples are never zero. */
export function burstSamples(seconds: number, bursts: readonly Burst[], sampleRate = 16_000): Int16Array {
  const samples = new Int16Array(Math.round(seconds * sampleRate));
  for (const { start, end, level } of bursts) {
    const value = Math.round((level / 100) * 32_767);
    for (let at = Math.round(start * sampleRate); at < Math.round(end * sampleRate); at += 1) {
      samples[at] = Math.floor(at / 20) % 2 === 0 ? value : -value;
    }
  }
  return samples;
}

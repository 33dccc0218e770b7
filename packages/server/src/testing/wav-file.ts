/** A WAV file of 16-bit mono. */
export function wavFile(samples: Int16Array, sampleRate: number): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.alloc(44 + samples.length * 2);
  bytes.write("RIFF", 0);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write("WAVEfmt ", 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(sampleRate, 24);
  bytes.writeUInt32LE(sampleRate * 2, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write("data", 36);
  bytes.writeUInt32LE(samples.length * 2, 40);
  for (const [index, sample] of samples.entries()) bytes.writeInt16LE(sample, 44 + index * 2);
  return new Uint8Array(bytes);
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

import { wavHeader } from "@parlance/protocol";

/** A WAV file of 16-bit mono. */
export function writeWav(samples: Int16Array, sampleRate: number): Uint8Array<ArrayBuffer> {
  const header = wavHeader({ rate: sampleRate, width: 2, channels: 1 }, { dataBytes: samples.length * 2 });
  const bytes = new Uint8Array(header.length + samples.length * 2);
  bytes.set(header);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < samples.length; i += 1) view.setInt16(header.length + i * 2, samples[i] ?? 0, true);
  return bytes;
}

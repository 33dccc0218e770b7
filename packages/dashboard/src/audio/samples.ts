import { writeWav } from "@parlance/client";

/** s16le bytes as floats. The bytes must be whole samples. */
export function fromPcm(bytes: Uint8Array<ArrayBuffer>): Float32Array<ArrayBuffer> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const samples = new Float32Array(bytes.length >> 1);
  for (let index = 0; index < samples.length; index++) samples[index] = view.getInt16(index * 2, true) / 32768;
  return samples;
}

/** A WAV file of 16 bits, one channel. */
export function toWav(pieces: readonly Float32Array[], sampleRate: number): Blob {
  const samples = new Int16Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    for (const sample of piece) samples[at++] = Math.max(-1, Math.min(1, sample)) * 32767;
  }
  return new Blob([writeWav(samples, sampleRate)], { type: "audio/wav" });
}

/** s16le bytes as floats. The bytes must be whole samples. */
export function fromPcm(bytes: Uint8Array<ArrayBuffer>): Float32Array<ArrayBuffer> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const samples = new Float32Array(bytes.length >> 1);
  for (let index = 0; index < samples.length; index++) samples[index] = view.getInt16(index * 2, true) / 32768;
  return samples;
}

/** A WAV file of 16 bits, one channel. */
export function toWav(pieces: readonly Float32Array[], sampleRate: number): Blob {
  const count = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const data = new DataView(new ArrayBuffer(44 + count * 2));
  const write = (at: number, text: string) => {
    for (let index = 0; index < text.length; index++) data.setUint8(at + index, text.charCodeAt(index));
  };
  write(0, "RIFF");
  data.setUint32(4, 36 + count * 2, true);
  write(8, "WAVEfmt ");
  data.setUint32(16, 16, true);
  data.setUint16(20, 1, true);
  data.setUint16(22, 1, true);
  data.setUint32(24, sampleRate, true);
  data.setUint32(28, sampleRate * 2, true);
  data.setUint16(32, 2, true);
  data.setUint16(34, 16, true);
  write(36, "data");
  data.setUint32(40, count * 2, true);
  let at = 44;
  for (const piece of pieces) {
    for (const sample of piece) {
      data.setInt16(at, Math.max(-1, Math.min(1, sample)) * 32767, true);
      at += 2;
    }
  }
  return new Blob([data.buffer], { type: "audio/wav" });
}

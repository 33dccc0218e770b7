export interface PcmFormat {
  readonly rate: number;
  /** Bytes of a sample. */
  readonly width: number;
  readonly channels: number;
}

/** Format tags of WAV files. */
export const WAV_TAGS = { pcm: 1, alaw: 6, ulaw: 7 } as const;

/** What a header says of a file whose length is not known yet: the audio lasts to the end of the file. */
const UNKNOWN_SIZE = 0xffffffff;

export interface WavHeaderOptions {
  readonly tag?: number;
  /** Left out: not known yet. */
  readonly dataBytes?: number;
}

export function wavHeader(
  { rate, width, channels }: PcmFormat,
  { tag = WAV_TAGS.pcm, dataBytes }: WavHeaderOptions = {},
): Uint8Array {
  const header = Buffer.alloc(44);
  header.write("RIFF", 0);
  header.writeUInt32LE(dataBytes === undefined ? UNKNOWN_SIZE : dataBytes + 36, 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(tag, 20);
  header.writeUInt16LE(channels, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate * width * channels, 28);
  header.writeUInt16LE(width * channels, 32);
  header.writeUInt16LE(width * 8, 34);
  header.write("data", 36);
  header.writeUInt32LE(dataBytes ?? UNKNOWN_SIZE, 40);
  return header;
}

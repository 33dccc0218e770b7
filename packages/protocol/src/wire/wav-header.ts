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
): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(44));
  const write = (at: number, name: string): void => {
    for (let index = 0; index < name.length; index++) view.setUint8(at + index, name.charCodeAt(index));
  };
  write(0, "RIFF");
  view.setUint32(4, dataBytes === undefined ? UNKNOWN_SIZE : dataBytes + 36, true);
  write(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, tag, true);
  view.setUint16(22, channels, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate * width * channels, true);
  view.setUint16(32, width * channels, true);
  view.setUint16(34, width * 8, true);
  write(36, "data");
  view.setUint32(40, dataBytes ?? UNKNOWN_SIZE, true);
  return new Uint8Array(view.buffer);
}

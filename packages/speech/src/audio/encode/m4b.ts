import { AAC_SAMPLE_RATES } from "./aac.ts";

/** A chapter of an audiobook. */
export interface Mp4Chapter {
  readonly title: string;
  /** Seconds. */
  readonly start: number;
}

export interface Mp4Book {
  readonly title: string;
  readonly sampleRate: number;
  /** The bytes of each AAC frame, in order. */
  readonly frameBytes: readonly number[];
  readonly chapters: readonly Mp4Chapter[];
}

const FRAME_SAMPLES = 1024;
const ADTS_HEADER_BYTES = 7;
/** The number of 48 kHz in the MPEG-4 table of rates. */
const FIRST_RATE_NUMBER = 3;
const MAX_CHAPTER_LIST = 255;
/** Times of the film and of the chapters are in milliseconds. */
const TIMESCALE = 1000;
const AUDIO_TRACK = 1;
const CHAPTER_TRACK = 2;

/** The frames in bytes of ADTS, without their headers. All frames are whole. */
export function* adtsFrames(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at + ADTS_HEADER_BYTES <= bytes.length; ) {
    const length = (((bytes[at + 3] ?? 0) & 3) << 11) | ((bytes[at + 4] ?? 0) << 3) | ((bytes[at + 5] ?? 0) >> 5);
    if (length <= ADTS_HEADER_BYTES) throw new Error("not an ADTS frame");
    yield bytes.subarray(at + ADTS_HEADER_BYTES, at + length);
    at += length;
  }
}

/**
 * Everything of an MP4 audiobook before its AAC frames, which follow it. The chapters are there twice: as a list of names
 * (Nero) and as a text track (QuickTime), because players know one or the other.
 */
export function mp4Head(book: Mp4Book): Uint8Array {
  const texts = Buffer.concat(book.chapters.map(({ title }) => chapterText(title)));
  const audioBytes = book.frameBytes.reduce((sum, bytes) => sum + bytes, 0);
  const type = box("ftyp", text("M4B "), u32(0), text("M4B mp42isom"));
  const size = 16 + texts.length + audioBytes;
  const data = Buffer.concat([u32(1), text("mdat"), u64(size)]);
  const headBytes = type.length + moov(book, 0).length + data.length;
  return Buffer.concat([type, moov(book, headBytes), data, texts]);
}

/** `textsAt`: where the names of the chapters are in the file; the audio follows them. */
function moov(book: Mp4Book, textsAt: number): Buffer {
  const { sampleRate, frameBytes, chapters, title } = book;
  const samples = frameBytes.length * FRAME_SAMPLES;
  const duration = Math.round((samples / sampleRate) * TIMESCALE);
  const texts = chapters.map((chapter) => chapterText(chapter.title).length);
  const audioAt = textsAt + texts.reduce((sum, bytes) => sum + bytes, 0);
  const starts = chapters.map(({ start }) => Math.min(duration, Math.round(start * TIMESCALE)));
  const lengths = starts.map((start, index) => Math.max(1, (starts[index + 1] ?? duration) - start));
  const audio = box(
    "trak",
    trackHeader(AUDIO_TRACK, duration, true),
    ...(chapters.length > 0 ? [box("tref", box("chap", u32(CHAPTER_TRACK)))] : []),
    media({
      handler: "soun",
      timescale: sampleRate,
      duration: samples,
      header: fullBox("smhd", 0, 0, u32(0)),
      entry: audioEntry(sampleRate),
      times: [[frameBytes.length, FRAME_SAMPLES]],
      sizes: frameBytes,
      at: audioAt,
    }),
  );
  const names = box(
    "trak",
    trackHeader(CHAPTER_TRACK, duration, false),
    media({
      handler: "text",
      timescale: TIMESCALE,
      duration,
      header: box("gmhd", fullBox("gmin", 0, 0, u16(0x40), u16(0x8000), u16(0x8000), u16(0x8000), u32(0))),
      entry: textEntry(),
      times: lengths.map((length) => [1, length] as const),
      sizes: texts,
      at: textsAt,
    }),
  );
  return box(
    "moov",
    fullBox(
      "mvhd",
      0,
      0,
      u32(0),
      u32(0),
      u32(TIMESCALE),
      u32(duration),
      u32(0x10000),
      u16(0x100),
      zeros(10),
      matrix(),
      zeros(24),
      u32(3),
    ),
    audio,
    ...(chapters.length > 0 ? [names] : []),
    box("udta", chapterList(chapters), metadata(title)),
  );
}

interface Media {
  readonly handler: "soun" | "text";
  readonly timescale: number;
  readonly duration: number;
  readonly header: Buffer;
  readonly entry: Buffer;
  /** Numbers of samples, and how long each is. */
  readonly times: readonly (readonly [count: number, length: number])[];
  readonly sizes: readonly number[];
  /** Where the samples are, one after the other. */
  readonly at: number;
}

function media({ handler, timescale, duration, header, entry, times, sizes, at }: Media): Buffer {
  const table = box(
    "stbl",
    fullBox("stsd", 0, 0, u32(1), entry),
    fullBox("stts", 0, 0, u32(times.length), ...times.flatMap(([count, length]) => [u32(count), u32(length)])),
    fullBox("stsc", 0, 0, u32(1), u32(1), u32(sizes.length), u32(1)),
    fullBox("stsz", 0, 0, u32(0), u32(sizes.length), list32(sizes)),
    fullBox("co64", 0, 0, u32(1), u64(at)),
  );
  // "und" in three times five bits.
  const undetermined = u16(0x55c4);
  return box(
    "mdia",
    fullBox("mdhd", 0, 0, u32(0), u32(0), u32(timescale), u32(duration), undetermined, u16(0)),
    fullBox("hdlr", 0, 0, u32(0), text(handler), zeros(12), Buffer.of(0)),
    box("minf", header, box("dinf", fullBox("dref", 0, 0, u32(1), fullBox("url ", 0, 1))), table),
  );
}

function trackHeader(id: number, duration: number, enabled: boolean): Buffer {
  const volume = enabled ? 0x100 : 0;
  return fullBox(
    "tkhd",
    0,
    enabled ? 7 : 2,
    u32(0),
    u32(0),
    u32(id),
    u32(0),
    u32(duration),
    zeros(8),
    u16(0),
    u16(0),
    u16(volume),
    u16(0),
    matrix(),
    u32(0),
    u32(0),
  );
}

function audioEntry(sampleRate: number): Buffer {
  const rates: readonly number[] = AAC_SAMPLE_RATES;
  const rate = FIRST_RATE_NUMBER + rates.indexOf(sampleRate);
  // AAC-LC, one channel.
  const specific = u16((2 << 11) | (rate << 7) | (1 << 3));
  const decoder = descriptor(4, Buffer.of(0x40, 0x15), zeros(3), u32(0), u32(0), descriptor(5, specific));
  const esds = fullBox("esds", 0, 0, descriptor(3, u16(0), Buffer.of(0), decoder, descriptor(6, Buffer.of(2))));
  return box("mp4a", zeros(6), u16(1), zeros(8), u16(1), u16(16), u32(0), u32(sampleRate * 0x10000), esds);
}

const textEntry = (): Buffer => box("text", zeros(6), u16(1), u32(1), zeros(39));

/** A sample of the chapter track: its length and its characters. */
function chapterText(title: string): Buffer {
  const bytes = Buffer.from(title.slice(0, 200));
  return Buffer.concat([u16(bytes.length), bytes]);
}

/** Times are in units of 100 ns. */
function chapterList(chapters: readonly Mp4Chapter[]): Buffer {
  const listed = chapters.slice(0, MAX_CHAPTER_LIST);
  const entries = listed.map(({ title, start }) => {
    const name = Buffer.from(title).subarray(0, 255);
    return Buffer.concat([u64(Math.round(start * 10_000_000)), Buffer.of(name.length), name]);
  });
  return fullBox("chpl", 1, 0, u32(0), Buffer.of(listed.length), ...entries);
}

function metadata(title: string): Buffer {
  const name = box("\u00a9nam", box("data", u32(1), u32(0), Buffer.from(title)));
  return fullBox("meta", 0, 0, fullBox("hdlr", 0, 0, u32(0), text("mdir"), text("appl"), zeros(9)), box("ilst", name));
}

function box(type: string, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([u32(8 + content.length), text(type), content]);
}

function fullBox(type: string, version: number, flags: number, ...parts: readonly Buffer[]): Buffer {
  return box(type, u32(version * 0x1000000 + flags), ...parts);
}

function descriptor(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.of(tag, content.length), content]);
}

const text = (value: string): Buffer => Buffer.from(value, "latin1");
const zeros = (count: number): Buffer => Buffer.alloc(count);
const matrix = (): Buffer => list32([0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000]);

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

const u32 = (value: number): Buffer => list32([value]);

function list32(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, index * 4);
  return bytes;
}

function u64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
}

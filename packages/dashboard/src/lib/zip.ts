/** A file of an archive. */
export interface ZipFile {
  readonly name: string;
  readonly content: string;
}

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ (table[(crc ^ byte) & 255] ?? 0);
  return ~crc >>> 0;
}

/** 1 January 1980, the first day that the format knows: the same files make the same archive. */
const DATE = 0x21;
const UTF8_NAMES = 0x800;

/** An archive of a few small text files, without compression. */
export function zip(files: readonly ZipFile[]): Blob {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const directory: Uint8Array<ArrayBuffer>[] = [];
  let offset = 0;
  for (const { name, content } of files) {
    const [path, bytes] = [new TextEncoder().encode(name), new TextEncoder().encode(content)];
    const facts = [20, UTF8_NAMES, 0, 0, DATE];
    const sizes = [crc32(bytes), bytes.length, bytes.length];
    const local = record(0x04034b50, facts, sizes, [path.length, 0]);
    parts.push(local, path, bytes);
    directory.push(record(0x02014b50, [20, ...facts], sizes, [path.length, 0, 0, 0, 0], [0, offset]), path);
    offset += local.length + path.length + bytes.length;
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const end = record(0x06054b50, [0, 0, files.length, files.length], [size, offset], [0]);
  return new Blob([...parts, ...directory, end]);
}

/** A signature, then numbers of two bytes, of four, of two and of four. */
function record(
  signature: number,
  first: readonly number[],
  second: readonly number[],
  third: readonly number[],
  fourth: readonly number[] = [],
): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(4 + 2 * (first.length + third.length) + 4 * (second.length + fourth.length));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, signature, true);
  let at = 4;
  const short = (value: number): void => {
    view.setUint16(at, value, true);
    at += 2;
  };
  const long = (value: number): void => {
    view.setUint32(at, value, true);
    at += 4;
  };
  for (const value of first) short(value);
  for (const value of second) long(value);
  for (const value of third) short(value);
  for (const value of fourth) long(value);
  return bytes;
}

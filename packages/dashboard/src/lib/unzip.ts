/** What may be unpacked. An archive comes from anywhere, and its own numbers may be wrong. */
export interface UnzipLimits {
  readonly archiveBytes: number;
  readonly entries: number;
  readonly directoryBytes: number;
  /** One file, unpacked. */
  readonly fileBytes: number;
  /** All files that are read, unpacked. */
  readonly totalBytes: number;
}

export interface Archive {
  readonly names: ReadonlySet<string>;
  /** A text file. Throws where it is missing, damaged or too large. */
  text(name: string): Promise<string>;
}

interface Entry {
  readonly method: number;
  readonly packedBytes: number;
  readonly offset: number;
}

const END_BYTES = 22;
const MAX_COMMENT_BYTES = 65_535;
const LOCAL_BYTES = 30;
const ENTRY_BYTES = 46;
const END_SIGNATURE = 0x06054b50;
const ENTRY_SIGNATURE = 0x02014b50;
const LOCAL_SIGNATURE = 0x04034b50;
const ENCRYPTED = 1;
const STORED = 0;
const DEFLATED = 8;

/** Opens a ZIP archive. Only its directory is read; files are unpacked when they are read. */
export async function openArchive(file: Blob, limits: UnzipLimits): Promise<Archive> {
  if (file.size > limits.archiveBytes) throw tooLarge("The file", limits.archiveBytes);
  const entries = await readDirectory(file, limits);
  let left = limits.totalBytes;
  return {
    names: new Set(entries.keys()),
    async text(name) {
      const entry = entries.get(name);
      if (entry === undefined) throw new Error(`${name} is missing in the file`);
      const bytes = await unpack(file, entry, Math.min(limits.fileBytes, left), name);
      left -= bytes.length;
      return decodeText(bytes);
    },
  };
}

async function readDirectory(file: Blob, limits: UnzipLimits): Promise<ReadonlyMap<string, Entry>> {
  const tailStart = Math.max(0, file.size - END_BYTES - MAX_COMMENT_BYTES);
  const tail = await viewOf(file, tailStart, file.size);
  let end = tail.byteLength - END_BYTES;
  while (end >= 0 && tail.getUint32(end, true) !== END_SIGNATURE) end -= 1;
  if (end < 0) throw new Error("This is not a ZIP archive");
  const [count, size, offset] = [
    tail.getUint16(end + 10, true),
    tail.getUint32(end + 12, true),
    tail.getUint32(end + 16, true),
  ];
  if (count > limits.entries) throw new Error(`The archive has more than ${limits.entries} files`);
  if (size > limits.directoryBytes) throw tooLarge("The directory of the archive", limits.directoryBytes);
  const directory = await viewOf(file, offset, offset + size);
  const entries = new Map<string, Entry>();
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    if (at + ENTRY_BYTES > directory.byteLength || directory.getUint32(at, true) !== ENTRY_SIGNATURE) throw damaged();
    const nameBytes = directory.getUint16(at + 28, true);
    const next = at + ENTRY_BYTES + nameBytes + directory.getUint16(at + 30, true) + directory.getUint16(at + 32, true);
    if (next > directory.byteLength) throw damaged();
    const name = new TextDecoder().decode(new Uint8Array(directory.buffer, at + ENTRY_BYTES, nameBytes));
    // Files that are encrypted cannot be read, so they are as good as missing.
    if ((directory.getUint16(at + 8, true) & ENCRYPTED) === 0) {
      entries.set(name, {
        method: directory.getUint16(at + 10, true),
        packedBytes: directory.getUint32(at + 20, true),
        offset: directory.getUint32(at + 42, true),
      });
    }
    at = next;
  }
  return entries;
}

/** The size that the archive states is not trusted: unpacking stops when there is more than is allowed. */
async function unpack(file: Blob, entry: Entry, limit: number, name: string): Promise<Uint8Array<ArrayBuffer>> {
  const local = await viewOf(file, entry.offset, entry.offset + LOCAL_BYTES);
  if (local.byteLength < LOCAL_BYTES || local.getUint32(0, true) !== LOCAL_SIGNATURE) throw damaged();
  const start = entry.offset + LOCAL_BYTES + local.getUint16(26, true) + local.getUint16(28, true);
  const packed = file.slice(start, start + entry.packedBytes);
  if (packed.size < entry.packedBytes) throw damaged();
  if (entry.method !== STORED && entry.method !== DEFLATED) throw new Error(`${name} is packed in an unknown way`);
  const stream = packed.stream();
  const reader = (
    entry.method === STORED ? stream : stream.pipeThrough(new DecompressionStream("deflate-raw"))
  ).getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => {
        throw damaged();
      });
      if (done) break;
      length += value.length;
      if (length > limit) throw tooLarge(name, limit);
      parts.push(value);
    }
  } finally {
    // Also stops a decompression that is not needed any more.
    await reader.cancel().catch(() => {});
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

async function viewOf(file: Blob, from: number, to: number): Promise<DataView<ArrayBuffer>> {
  return new DataView(await file.slice(from, to).arrayBuffer());
}

/** UTF-8, or UTF-16 with its mark. */
function decodeText(bytes: Uint8Array<ArrayBuffer>): string {
  const mark = (bytes[0] ?? 0) * 256 + (bytes[1] ?? 0);
  const encoding = mark === 0xfeff ? "utf-16be" : mark === 0xfffe ? "utf-16le" : "utf-8";
  return new TextDecoder(encoding).decode(bytes);
}

const damaged = () => new Error("The archive is damaged");
const tooLarge = (what: string, bytes: number) => new Error(`${what} is larger than ${Math.floor(bytes / 1e6)} MB`);

import { apiError } from "./api-error.ts";
import { type ByteReader, createByteReader } from "./byte-reader.ts";
import { decodeMessagePack } from "./message-pack.ts";
import { createElementCount, MAX_HEAD_BYTES, MessagePackError, readToken, type Token } from "./message-pack-scan.ts";

/** The keys of a map whose values are files: they are passed on as they arrive and never held as a whole. */
export interface MapFiles {
  isFile(key: string): boolean;
  /** One file. It has to read all of its chunks, or throw. */
  file(key: string, chunks: AsyncIterable<Uint8Array>): Promise<void>;
  /** How many bytes of a value that is not bytes may be held. With 0 it is skipped, and given as undefined. */
  maxOtherBytes(key: string): number;
  /** A value in place of a file that is not bytes. `index`: its position in an array of files. */
  other(key: string, value: unknown, index: number | undefined): Promise<void>;
}

/** After this many values, which may all be there already, other requests have their turn. */
const VALUES_PER_TURN = 250;

const NIL = 0xc0;
const decoder = new TextDecoder();

/**
 * Reads one MessagePack value as it arrives. The files of a map are passed on; everything else is held, up to a limit,
 * and returned with null in place of the files. The value is not necessarily a map.
 * Throws `MessagePackError`, or the 413 when the rest is over its limit.
 */
export async function readMessagePackMap(
  chunks: AsyncIterator<Uint8Array>,
  files: MapFiles,
  maxFieldBytes: number,
): Promise<unknown> {
  const reader: Source = { ...createByteReader(chunks), countElement: createElementCount(), values: 0 };
  const rest = hold(maxFieldBytes);

  const first = await readHead(reader, rest.add);
  const entries = first.kind === "container" && first.keyed ? first.items / 2 : 0;
  if (entries === 0) await copyBody(reader, first, rest.add);
  for (let entry = 0; entry < entries; entry += 1) {
    const key = await copyKey(reader, rest.add);
    if (files.isFile(key)) {
      await readFiles(reader, key, files);
      rest.add(Uint8Array.of(NIL));
    } else await copyBody(reader, await readHead(reader, rest.add), rest.add);
  }
  if ((await reader.some(1)) !== undefined) throw new MessagePackError("more bytes follow the value");
  return decodeMessagePack(rest.bytes());
}

/** The value of a file's key: nothing, a file, or an array of files. */
async function readFiles(reader: Source, key: string, files: MapFiles): Promise<void> {
  const [byte = NIL] = await reader.peek(1);
  if (!isArray(byte)) return readFile(reader, key, files, undefined);
  const array = await readHead(reader);
  const items = array.kind === "container" ? array.items : 0;
  for (let index = 0; index < items; index += 1) await readFile(reader, key, files, index);
}

async function readFile(reader: Source, key: string, files: MapFiles, index: number | undefined): Promise<void> {
  const maxBytes = files.maxOtherBytes(key);
  const held = hold(Math.max(maxBytes, MAX_HEAD_BYTES));
  const token = await readHead(reader, held.add);
  if (token.kind === "bytes") {
    await files.file(key, read(reader, token.size));
    return;
  }
  await copyBody(reader, token, maxBytes === 0 ? () => {} : held.add);
  // In place of a file, null means that there is none.
  if (token.nil && index === undefined) return;
  await files.other(key, maxBytes === 0 ? undefined : decodeMessagePack(held.bytes()), index);
}

type Head = Token & { readonly nil: boolean };
type Add = (bytes: Uint8Array) => void;
type Source = ByteReader & { readonly countElement: () => void; values: number };

async function readHead(reader: Source, add: Add = () => {}): Promise<Head> {
  const ahead = await reader.peek(MAX_HEAD_BYTES);
  if (ahead.length === 0) throw new MessagePackError("the data ends too early");
  reader.countElement();
  reader.values += 1;
  if (reader.values % VALUES_PER_TURN === 0) await new Promise((resolve) => setTimeout(resolve));
  const [token, size] = readToken(new DataView(ahead.buffer, ahead.byteOffset, ahead.byteLength), 0);
  const nil = ahead[0] === NIL;
  for await (const bytes of read(reader, size)) add(bytes);
  return { ...token, nil };
}

async function copyKey(reader: Source, add: Add): Promise<string> {
  const token = await readHead(reader, add);
  if (token.kind !== "string") throw new MessagePackError("a map key is not a string");
  const parts = hold(Number.POSITIVE_INFINITY);
  for await (const bytes of read(reader, token.size)) {
    add(bytes);
    parts.add(bytes);
  }
  return decoder.decode(parts.bytes());
}

/** Reads the content after a head, with everything nested in it. The depth is checked when it is decoded. */
async function copyBody(reader: Source, token: Token, add: Add): Promise<void> {
  let open = 1;
  for (let next = token; ; next = await readHead(reader, add)) {
    open += next.kind === "container" ? next.items - 1 : -1;
    if (next.kind !== "container") for await (const bytes of read(reader, next.size)) add(bytes);
    if (open === 0) return;
  }
}

/** Exactly the next `size` bytes, as they arrive. */
async function* read(reader: Source, size: number): AsyncGenerator<Uint8Array> {
  for (let left = size; left > 0; ) {
    const bytes = await reader.some(left);
    if (bytes === undefined) throw new MessagePackError("the data ends too early");
    left -= bytes.length;
    yield bytes;
  }
}

function isArray(byte: number): boolean {
  return (byte >= 0x90 && byte <= 0x9f) || byte === 0xdc || byte === 0xdd;
}

/** Bytes in one buffer that grows: they may come one at a time. */
function hold(maxBytes: number): { readonly add: Add; bytes(): Uint8Array } {
  let held = new Uint8Array(256);
  let size = 0;
  return {
    add(bytes) {
      const end = size + bytes.length;
      if (end > maxBytes) throw apiError("payload_too_large", { limit: maxBytes });
      if (end > held.length) {
        const larger = new Uint8Array(Math.max(end, 2 * held.length));
        larger.set(held);
        held = larger;
      }
      held.set(bytes, size);
      size = end;
    },
    bytes: () => held.subarray(0, size),
  };
}

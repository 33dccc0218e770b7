import { apiError } from "./api-error.ts";
import { type ByteReader, createByteReader } from "./byte-reader.ts";
import { decodeMessagePack } from "./message-pack.ts";
import { createElementCount, MessagePackError, MOST_HEAD_BYTES, readToken, type Token } from "./message-pack-scan.ts";

/** The one value of a map that is too large to be held. */
export interface StreamedValue {
  readonly key: string;
  /** Told its bytes as they come; the next ones are read when it is done with these. */
  take(bytes: Uint8Array): Promise<void>;
}

export interface ReadMap {
  /** The whole value but for the streamed bytes, in whose place stands null. Not necessarily a map. */
  readonly value: unknown;
  readonly streamed: "given" | "missing" | "given twice" | "not bytes";
}

const NIL = 0xc0;
const decoder = new TextDecoder();

/**
 * Reads one plain MessagePack value as it arrives. Everything but the streamed bytes is gathered, up to a limit, and
 * then decoded as any other body is. Throws `MessagePackError`, or the 413 when the rest is over its limit.
 */
export async function readMessagePackMap(
  chunks: AsyncIterator<Uint8Array>,
  { key, take }: StreamedValue,
  mostOtherBytes: number,
): Promise<ReadMap> {
  const reader: Source = { ...createByteReader(chunks), countElement: createElementCount() };
  const rest = gather(mostOtherBytes);
  let streamed: ReadMap["streamed"] = "missing";

  const first = await readHead(reader, rest.add);
  const entries = first.kind === "container" && first.keyed ? first.items / 2 : 0;
  if (entries === 0) await copyBody(reader, first, rest.add);
  for (let entry = 0; entry < entries; entry += 1) {
    const name = await copyKey(reader, rest.add);
    if (name !== key) {
      await copyValue(reader, rest.add);
      continue;
    }
    const token = await readHead(reader);
    if (token.kind === "bytes" && streamed === "missing") {
      streamed = "given";
      await pass(reader, token.size, take);
    } else {
      // Nothing in place of the bytes is how a client spells that it sends none.
      if (!token.nil) streamed = token.kind === "bytes" ? "given twice" : "not bytes";
      await skipBody(reader, token);
    }
    rest.add(Uint8Array.of(NIL));
  }
  if ((await reader.some(1)) !== undefined) throw new MessagePackError("more bytes follow the value");
  return { value: decodeMessagePack(rest.bytes()), streamed };
}

type Head = Token & { readonly nil: boolean };
type Add = (bytes: Uint8Array) => void;
type Source = ByteReader & { readonly countElement: () => void };

async function readHead(reader: Source, add: Add = () => {}): Promise<Head> {
  const ahead = await reader.peek(MOST_HEAD_BYTES);
  if (ahead.length === 0) throw new MessagePackError("the data ends too early");
  reader.countElement();
  const [token, size] = readToken(new DataView(ahead.buffer, ahead.byteOffset, ahead.byteLength), 0);
  const nil = ahead[0] === NIL;
  await pass(reader, size, async (bytes) => add(bytes));
  return { ...token, nil };
}

async function copyKey(reader: Source, add: Add): Promise<string> {
  const token = await readHead(reader, add);
  if (token.kind !== "string") throw new MessagePackError("a map key is not a string");
  const parts = gather(Number.POSITIVE_INFINITY);
  await pass(reader, token.size, async (bytes) => {
    add(bytes);
    parts.add(bytes);
  });
  return decoder.decode(parts.bytes());
}

async function copyValue(reader: Source, add: Add): Promise<void> {
  await copyBody(reader, await readHead(reader, add), add);
}

async function skipBody(reader: Source, token: Token): Promise<void> {
  await copyBody(reader, token, () => {});
}

/** What follows a head, with everything inside of it. How deep it goes is checked when it is decoded. */
async function copyBody(reader: Source, token: Token, add: Add): Promise<void> {
  let open = 1;
  for (let next = token; ; next = await readHead(reader, add)) {
    open += next.kind === "container" ? next.items - 1 : -1;
    if (next.kind !== "container") await pass(reader, next.size, async (bytes) => add(bytes));
    if (open === 0) return;
  }
}

async function pass(reader: ByteReader, size: number, take: (bytes: Uint8Array) => Promise<void>): Promise<void> {
  for (let left = size; left > 0; ) {
    const bytes = await reader.some(left);
    if (bytes === undefined) throw new MessagePackError("the data ends too early");
    left -= bytes.length;
    await take(bytes);
  }
}

function gather(most: number): { readonly add: Add; bytes(): Uint8Array } {
  const parts: Uint8Array[] = [];
  let size = 0;
  return {
    add(bytes) {
      size += bytes.length;
      if (size > most) throw apiError("payload_too_large", { limit: most });
      parts.push(bytes.slice());
    },
    bytes() {
      const all = new Uint8Array(size);
      let at = 0;
      for (const part of parts) {
        all.set(part, at);
        at += part.length;
      }
      return all;
    },
  };
}

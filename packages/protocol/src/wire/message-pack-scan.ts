import { LIMITS } from "./limits.ts";

export class MessagePackError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "MessagePackError";
  }
}

export type Token =
  | { readonly kind: "value" | "bytes"; readonly size: number }
  | { readonly kind: "string"; readonly size: number }
  | { readonly kind: "container"; readonly items: number; readonly keyed: boolean };

interface Open {
  left: number;
  readonly keyed: boolean;
}

/** Called with the bytes of a string, whether it is a map key, and its depth. Throws if the string is not allowed. */
export type StringCheck = (bytes: Uint8Array, isKey: boolean, depth: number) => void;

const strictUtf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Scans bytes without allocating and throws unless they are exactly one well-formed, plain value. It runs
 * before the decoder because a decoder trusts its input: a body of five bytes may announce an array of four
 * billion items, nest a million levels deep, or name extension types that create objects.
 */
export function scanMessagePack(
  bytes: Uint8Array,
  maxDepth: number = LIMITS.messagePackDepth,
  checkString: StringCheck = checkUtf8,
): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const open: Open[] = [{ left: 1, keyed: false }];
  const countElement = createElementCount();
  let at = 0;
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    if (top.left === 0) {
      open.pop();
      continue;
    }
    const isKey = top.keyed && top.left % 2 === 0;
    top.left -= 1;
    if (at >= bytes.length) throw new MessagePackError("the data ends too early");
    const [token, head] = readToken(view, at);
    countElement();
    at += head;
    if (isKey && token.kind !== "string") throw new MessagePackError("a map key is not a string");
    if (token.kind === "container") {
      // Every item takes at least one byte, so a valid count never exceeds the remaining bytes.
      if (token.items > bytes.length - at) throw new MessagePackError("the data ends too early");
      if (open.length > maxDepth) throw new MessagePackError(`more than ${maxDepth} levels deep`);
      open.push({ left: token.items, keyed: token.keyed });
    } else {
      if (token.size > bytes.length - at) throw new MessagePackError("the data ends too early");
      if (token.kind === "string") checkString(bytes.subarray(at, at + token.size), isKey, open.length - 1);
      at += token.size;
    }
  }
  if (at !== bytes.length) throw new MessagePackError("more bytes follow the value");
}

/** Each call counts one value. Throws above the limit. */
export function createElementCount(maxElements: number = LIMITS.messagePackElements): () => void {
  let count = 0;
  return () => {
    count += 1;
    if (count > maxElements) throw new MessagePackError(`more than ${maxElements} values`);
  };
}

export function checkUtf8(bytes: Uint8Array): void {
  try {
    strictUtf8.decode(bytes);
  } catch {
    throw new MessagePackError("a string is not UTF-8");
  }
}

/** The size of the longest head. */
export const MAX_HEAD_BYTES = 5;

/** The token at an offset, and the size of its head. */
export function readToken(view: DataView, at: number): readonly [Token, number] {
  const byte = view.getUint8(at);
  if (byte <= 0x7f || byte >= 0xe0) return [{ kind: "value", size: 0 }, 1];
  if (byte <= 0x8f) return [{ kind: "container", items: (byte & 0x0f) * 2, keyed: true }, 1];
  if (byte <= 0x9f) return [{ kind: "container", items: byte & 0x0f, keyed: false }, 1];
  if (byte <= 0xbf) return [{ kind: "string", size: byte & 0x1f }, 1];
  const length = (width: 1 | 2 | 4): number => readLength(view, at + 1, width);
  switch (byte) {
    case 0xc0:
    case 0xc2:
    case 0xc3:
      return [{ kind: "value", size: 0 }, 1];
    case 0xc4:
      return [{ kind: "bytes", size: length(1) }, 2];
    case 0xc5:
      return [{ kind: "bytes", size: length(2) }, 3];
    case 0xc6:
      return [{ kind: "bytes", size: length(4) }, 5];
    case 0xca:
    case 0xce:
    case 0xd2:
      return [{ kind: "value", size: 4 }, 1];
    case 0xcb:
    case 0xcf:
    case 0xd3:
      return [{ kind: "value", size: 8 }, 1];
    case 0xcc:
    case 0xd0:
      return [{ kind: "value", size: 1 }, 1];
    case 0xcd:
    case 0xd1:
      return [{ kind: "value", size: 2 }, 1];
    case 0xd9:
      return [{ kind: "string", size: length(1) }, 2];
    case 0xda:
      return [{ kind: "string", size: length(2) }, 3];
    case 0xdb:
      return [{ kind: "string", size: length(4) }, 5];
    case 0xdc:
      return [{ kind: "container", items: length(2), keyed: false }, 3];
    case 0xdd:
      return [{ kind: "container", items: length(4), keyed: false }, 5];
    case 0xde:
      return [{ kind: "container", items: length(2) * 2, keyed: true }, 3];
    case 0xdf:
      return [{ kind: "container", items: length(4) * 2, keyed: true }, 5];
    default:
      throw new MessagePackError(`byte 0x${byte.toString(16)} (an extension or unused type) is not accepted`);
  }
}

function readLength(view: DataView, at: number, width: 1 | 2 | 4): number {
  if (at + width > view.byteLength) throw new MessagePackError("the data ends too early");
  if (width === 1) return view.getUint8(at);
  return width === 2 ? view.getUint16(at) : view.getUint32(at);
}

import { Packr } from "msgpackr";
import { type StringCheck, scanMessagePack } from "./message-pack-scan.ts";

/**
 * Plain MessagePack, as other libraries write and read it: the records of msgpackr are extension types that
 * others do not know. 64-bit integers become numbers; those that a number cannot hold exactly are outside
 * the range of every field.
 */
const packr = new Packr({
  useRecords: false,
  variableMapSize: true,
  encodeUndefinedAsNil: true,
  int64AsType: "number",
});

export const MESSAGE_PACK_TYPE = "application/msgpack";

/** Throws `MessagePackError` unless the bytes are exactly one plain value. */
export function decodeMessagePack(bytes: Uint8Array, checkString?: StringCheck): unknown {
  scanMessagePack(bytes, undefined, checkString);
  return packr.unpack(bytes);
}

/** Returns a copy: the encoder's shared buffer is never exposed. */
export function encodeMessagePack(value: unknown): Uint8Array<ArrayBuffer> {
  return new Uint8Array(packr.pack(value));
}

import { Packr } from "msgpackr";
import { type StringCheck, scanMessagePack } from "./message-pack-scan.ts";

/**
 * Plain MessagePack, as every other library writes and reads it: msgpackr's own records would be
 * extension types that nobody else knows. Integers of 64 bits become numbers; one that a number cannot
 * hold exactly is far outside anything that a request may say.
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

/** The bytes are the caller's own: the encoder's shared buffer is never handed out. */
export function encodeMessagePack(value: unknown): Uint8Array<ArrayBuffer> {
  return new Uint8Array(packr.pack(value));
}

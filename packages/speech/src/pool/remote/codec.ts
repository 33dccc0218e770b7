import { Packr } from "msgpackr";

/** MessagePack with typed arrays: samples are sent as they are in memory. */
const packr = new Packr({ useRecords: false, moreTypes: true, copyBuffers: true });

export function pack(value: unknown): Uint8Array {
  return packr.pack(value);
}

/** Throws for bytes that are not MessagePack. */
export function unpack(bytes: Uint8Array): unknown {
  return packr.unpack(bytes);
}

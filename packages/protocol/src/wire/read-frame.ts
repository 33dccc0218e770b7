import { apiError } from "./api-error.ts";
import { MessagePackError } from "./message-pack-scan.ts";

/** Decodes a frame of a socket. Throws `unreadable_frame` where it is not valid MessagePack. */
export function readFrame<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (error instanceof MessagePackError) throw apiError("unreadable_frame", { reason: error.message });
    throw error;
  }
}

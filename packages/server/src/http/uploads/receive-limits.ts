import type { IncomingMessage } from "node:http";
import { type ApiError, apiError } from "@parlance/protocol";
import type { UploadTimeouts } from "./upload-rules.ts";

export interface ReceiveLimits extends UploadTimeouts {
  /** For the whole body. */
  readonly maxBytes: number;
  /** The error for a body that is larger. */
  readonly tooLarge: () => ApiError;
}

export interface ReceiveWatch {
  /** The result of reading the body. Throws when the body is over a limit, or when the client disconnects. */
  orLimit<Result>(reading: Promise<Result>): Promise<Result>;
}

/**
 * Watches a body while it is read. The reader has to start in the same turn of the event loop, because watching
 * a stream makes it flow.
 */
export function watchReceiving(raw: IncomingMessage, limits: ReceiveLimits): ReceiveWatch {
  const { maxBytes, idleMs, totalMs } = limits;
  let fail = (_reason: Error): void => {};
  const failed = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  failed.catch(() => {});
  const slow = (reason: string): void => fail(apiError("upload_too_slow", { reason }));
  const total = setTimeout(() => slow(`not all of it came in ${totalMs / 1000} s`), totalMs);
  const idle = setTimeout(() => slow(`nothing came for ${idleMs / 1000} s`), idleMs);
  let bytes = 0;
  const onData = (chunk: Buffer): void => {
    bytes += chunk.length;
    idle.refresh();
    if (bytes > maxBytes) fail(limits.tooLarge());
  };
  const onClose = (): void => {
    if (!raw.complete) fail(new Error("the client has disconnected"));
  };
  raw.on("data", onData);
  raw.once("close", onClose);
  return {
    async orLimit(reading) {
      try {
        return await Promise.race([reading, failed]);
      } finally {
        clearTimeout(total);
        clearTimeout(idle);
        raw.off("data", onData);
        raw.off("close", onClose);
        // It may fail later, when the connection closes.
        reading.catch(() => {});
      }
    },
  };
}

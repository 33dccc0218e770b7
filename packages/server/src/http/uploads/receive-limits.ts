import type { IncomingMessage } from "node:http";
import { apiError } from "@parlance/protocol";

export interface ReceiveLimits {
  /** For the whole body. */
  readonly mostBytes: number;
  /** How long nothing may come. */
  readonly idleMs: number;
  readonly totalMs: number;
}

export interface ReceiveWatch {
  /** The result of reading the body, unless the body breaks a rule or breaks off. */
  orRefusal<Result>(reading: Promise<Result>): Promise<Result>;
}

/**
 * Watches a body while somebody else reads it, who has to begin in the same turn of the event loop: to watch a stream
 * is to let it flow.
 */
export function watchReceiving(raw: IncomingMessage, { mostBytes, idleMs, totalMs }: ReceiveLimits): ReceiveWatch {
  let refuse = (_reason: Error): void => {};
  const refused = new Promise<never>((_resolve, reject) => {
    refuse = reject;
  });
  refused.catch(() => {});
  const slow = (reason: string): void => refuse(apiError("upload_too_slow", { reason }));
  const total = setTimeout(() => slow(`not all of it came in ${totalMs / 1000} s`), totalMs);
  const idle = setTimeout(() => slow(`nothing came for ${idleMs / 1000} s`), idleMs);
  let bytes = 0;
  const onData = (chunk: Buffer): void => {
    bytes += chunk.length;
    idle.refresh();
    if (bytes > mostBytes) refuse(apiError("payload_too_large", { limit: mostBytes }));
  };
  const onClose = (): void => {
    if (!raw.complete) refuse(new Error("the caller has gone"));
  };
  raw.on("data", onData);
  raw.once("close", onClose);
  return {
    async orRefusal(reading) {
      try {
        return await Promise.race([reading, refused]);
      } finally {
        clearTimeout(total);
        clearTimeout(idle);
        raw.off("data", onData);
        raw.off("close", onClose);
        // It may fail later, when the connection goes.
        reading.catch(() => {});
      }
    },
  };
}

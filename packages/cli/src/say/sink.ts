import { randomUUID } from "node:crypto";
import { open, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Writable } from "node:stream";
import { Interruption } from "../errors.ts";
import { completeWavHeader } from "./complete-wav-header.ts";

/** Receives the bytes of a file. */
export interface Sink {
  write(bytes: Uint8Array): Promise<void>;
  /** All bytes are written. */
  finish(): Promise<void>;
  /** Cancels: no incomplete file is left. */
  discard(): Promise<void>;
}

/** Writes to a temporary file and renames it at the end, so that the target is never incomplete. */
export async function openFileSink(path: string): Promise<Sink> {
  // A pipe or a device cannot be replaced by a rename.
  const existing = await stat(path).catch(() => undefined);
  const direct = existing !== undefined && !existing.isFile();
  const draft = direct ? path : join(dirname(path), `.${basename(path)}.${randomUUID()}.part`);
  const file = await open(draft, direct ? "w" : "wx+").catch((error) => {
    throw new Error(`cannot write ${path}: ${reasonOf(error)}`, { cause: error });
  });
  return {
    write: async (bytes) => void (await file.write(bytes)),
    async finish() {
      if (!direct) await completeWavHeader(file);
      await file.close();
      if (!direct) await rename(draft, path);
    },
    async discard() {
      await file.close().catch(() => {});
      if (!direct) await rm(draft, { force: true });
    },
  };
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: "there is no such folder",
    ENOTDIR: "there is no such folder",
    EACCES: "no permission",
    EPERM: "no permission",
    EROFS: "the disk is read-only",
    EISDIR: "it is a folder",
    ENOSPC: "the disk is full",
  };
  return reasons[code] ?? (error instanceof Error ? error.message : String(error));
}

/** A pipe to another program. Ends with SIGPIPE when that program closes it. */
export function streamSink(stream: Writable, signal: AbortSignal): Sink {
  // Errors are reported by the callbacks; without a listener they would end the process.
  stream.on("error", () => {});
  const settle = (act: (done: (error?: Error | null) => void) => void): Promise<void> =>
    new Promise((resolve, reject) => {
      // A reader that neither reads nor closes the pipe must not block an abort.
      const onAbort = () => reject(signal.reason);
      signal.addEventListener("abort", onAbort, { once: true });
      act((error) => {
        signal.removeEventListener("abort", onAbort);
        if (error) reject(closedByReader(error) ? new Interruption("SIGPIPE") : error);
        else resolve();
      });
    });
  return {
    write: (bytes) => settle((done) => stream.write(bytes, done)),
    finish: () => settle((done) => stream.end(done)),
    discard: async () => void stream.destroy(),
  };
}

function closedByReader(error: Error): boolean {
  return "code" in error && (error.code === "EPIPE" || error.code === "ERR_STREAM_DESTROYED");
}

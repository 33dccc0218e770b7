import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { open, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Writable } from "node:stream";
import { Interruption } from "../errors.ts";
import { mendWavHeader } from "./wav-header.ts";

/** Takes the bytes of a file as they come. */
export interface Sink {
  write(bytes: Uint8Array): Promise<void>;
  /** All bytes are there. */
  finish(): Promise<void>;
  /** There will be no more: nothing half-done stays. */
  discard(): Promise<void>;
}

/** Writes beside the target and renames at the end, so that the target is never half a file. */
export async function openFileSink(path: string): Promise<Sink> {
  // a pipe or a device cannot be renamed over
  const existing = await stat(path).catch(() => undefined);
  const direct = existing !== undefined && !existing.isFile();
  const draft = direct ? path : join(dirname(path), `.${basename(path)}.${randomUUID()}.part`);
  const file = await open(draft, direct ? "w" : "wx+").catch((error) => {
    throw new Error(`cannot write ${path}: ${reasonOf(error)}`, { cause: error });
  });
  return {
    write: async (bytes) => void (await file.write(bytes)),
    async finish() {
      if (!direct) await mendWavHeader(file);
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

/** A pipe to another program; when that one has enough, so have we. */
export function streamSink(stream: Writable): Sink {
  let broken: Error | undefined;
  const onError = (error: Error): void => {
    broken = "code" in error && error.code === "EPIPE" ? new Interruption("SIGPIPE") : error;
  };
  stream.on("error", onError);
  return {
    async write(bytes) {
      if (broken) throw broken;
      if (stream.write(bytes)) return;
      // "close" comes without "drain" when the reader goes away
      const settled = new AbortController();
      const { signal } = settled;
      await Promise.race([once(stream, "drain", { signal }), once(stream, "close", { signal })]).finally(() =>
        settled.abort(),
      );
      if (broken) throw broken;
    },
    async finish() {
      if (broken) throw broken;
      await new Promise<void>((resolve) => {
        stream.once("close", resolve);
        stream.end(() => resolve());
      });
      if (broken) throw broken;
    },
    discard: async () => void stream.destroy(),
  };
}

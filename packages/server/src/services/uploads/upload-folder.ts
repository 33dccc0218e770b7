import { randomUUID } from "node:crypto";
import { mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { createProcessFolder, type ProcessFolder } from "../../lib/process-folder.ts";

/** A file that is being received. It is there until it is removed. */
export interface UploadFile {
  readonly path: string;
  readonly bytes: number;
  write(bytes: Uint8Array): Promise<void>;
  /** All bytes were written. */
  finish(): Promise<void>;
  /** Never rejects: a file that cannot be removed now is removed at the next start. */
  remove(): Promise<void>;
}

export interface UploadFolder extends Pick<ProcessFolder, "sweep" | "close"> {
  create(): Promise<UploadFile>;
}

/**
 * Uploads are kept on disk in the data folder, because the system's temporary folder is in memory on many machines. Each
 * process has its own folder.
 */
export function createUploadFolder(data: string): UploadFolder {
  const { path, sweep, close } = createProcessFolder(join(data, "uploads"));
  return {
    async create() {
      await mkdir(path, { recursive: true });
      return createFile(join(path, randomUUID()));
    },
    sweep,
    close,
  };
}

async function createFile(path: string): Promise<UploadFile> {
  const file = await open(path, "wx", 0o600);
  let bytes = 0;
  return {
    path,
    get bytes() {
      return bytes;
    },
    async write(chunk) {
      bytes += chunk.length;
      for (let at = 0; at < chunk.length; ) at += (await file.write(chunk, at)).bytesWritten;
    },
    finish: () => file.close(),
    async remove() {
      await file.close().catch(() => {});
      await rm(path, { force: true }).catch(() => {});
    },
  };
}

import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { isProcessAlive } from "../../lib/process-alive.ts";

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

export interface UploadFolder {
  create(): Promise<UploadFile>;
  /** Removes the folders of processes that have ended without closing. */
  sweep(): Promise<void>;
  close(): Promise<void>;
}

/** Far longer than any request takes. */
const ABANDONED_MS = 24 * 60 * 60 * 1000;

const ours = new Set<string>();

/**
 * Uploads are kept on disk in the data folder, because the system's temporary folder is in memory on many machines. Each
 * process has its own folder, named by host and process id.
 */
export function createUploadFolder(data: string): UploadFolder {
  const uploads = join(data, "uploads");
  const name = `${machine()}-${process.pid}-${randomUUID()}`;
  const folder = join(uploads, name);
  ours.add(name);
  return {
    async create() {
      await mkdir(folder, { recursive: true });
      return createFile(join(folder, randomUUID()));
    },
    async sweep() {
      for (const other of await readdir(uploads).catch(() => [])) {
        if (await isAbandoned(uploads, other)) await rm(join(uploads, other), { recursive: true, force: true });
      }
    },
    async close() {
      ours.delete(name);
      // Aborted work may still write into it. What remains is removed at the next start.
      await rm(folder, { recursive: true, force: true, maxRetries: 5 }).catch(() => {});
    },
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

async function isAbandoned(uploads: string, name: string): Promise<boolean> {
  if (ours.has(name)) return false;
  const [, host, pid] = /^(.+)-(\d+)-[0-9a-f-]{36}$/.exec(name) ?? [];
  // A folder with our own process id is of an earlier process.
  if (host === machine() && (Number(pid) === process.pid || !isProcessAlive(Number(pid)))) return true;
  const known = await stat(join(uploads, name)).catch(() => undefined);
  return known !== undefined && Date.now() - known.mtimeMs > ABANDONED_MS;
}

/** Containers that share a folder have separate process ids, but different host names. */
function machine(): string {
  return hostname().replace(/[^\w.]+/g, "_");
}

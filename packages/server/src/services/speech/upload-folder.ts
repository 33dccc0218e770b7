import { randomUUID } from "node:crypto";
import { mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";

/** A file that is being received. It is there until it is removed. */
export interface UploadFile {
  readonly path: string;
  readonly bytes: number;
  write(bytes: Uint8Array): Promise<void>;
  /** All of it is there. */
  finish(): Promise<void>;
  /** Never fails: what cannot be removed now is removed at the next start. */
  remove(): Promise<void>;
}

export interface UploadFolder {
  create(): Promise<UploadFile>;
  /** Removes what processes that died have left behind. */
  sweep(): Promise<void>;
  close(): Promise<void>;
}

/** Far longer than any request takes. */
const ABANDONED_MS = 24 * 60 * 60 * 1000;

const ours = new Set<string>();

/**
 * Recordings lie on disk while they are worked on, and beside the data: the system's own folder for such files is memory
 * on many machines. Each process has a folder of its own in there, whose name says whose it is.
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
      // Work that is being ended may still write into it. What stays is removed at the next start.
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
  if (host === machine() && !isOther(Number(pid))) return true;
  const known = await stat(join(uploads, name)).catch(() => undefined);
  return known !== undefined && Date.now() - known.mtimeMs > ABANDONED_MS;
}

/** Whether another process of this machine has that number now. Ours is the number of a process before us. */
function isOther(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Containers that share a folder count their processes apart, but have different names. */
function machine(): string {
  return hostname().replace(/[^\w.]+/g, "_");
}

import { randomUUID } from "node:crypto";
import { readdir, rm, stat } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { isProcessAlive } from "./process-alive.ts";

/** A folder for temporary files, of this process alone. */
export interface ProcessFolder {
  /** Created by those who use it. */
  readonly path: string;
  /** Removes the folders of processes that have ended without closing. */
  sweep(): Promise<void>;
  close(): Promise<void>;
}

/** Far longer than any work takes. */
const ABANDONED_MS = 24 * 60 * 60 * 1000;

const ours = new Set<string>();

/** A folder in `parent`, named by host and process id. */
export function createProcessFolder(parent: string): ProcessFolder {
  const name = `${machine()}-${process.pid}-${randomUUID()}`;
  const path = join(parent, name);
  ours.add(name);
  return {
    path,
    async sweep() {
      for (const other of await readdir(parent).catch(() => [])) {
        if (await isAbandoned(parent, other)) await rm(join(parent, other), { recursive: true, force: true });
      }
    },
    async close() {
      ours.delete(name);
      // Aborted work may still write into it. What remains is removed at the next start.
      await rm(path, { recursive: true, force: true, maxRetries: 5 }).catch(() => {});
    },
  };
}

async function isAbandoned(parent: string, name: string): Promise<boolean> {
  if (ours.has(name)) return false;
  const [, host, pid] = /^(.+)-(\d+)-[0-9a-f-]{36}$/.exec(name) ?? [];
  // A folder with our own process id is of an earlier process.
  if (host === machine() && (Number(pid) === process.pid || !isProcessAlive(Number(pid)))) return true;
  const known = await stat(join(parent, name)).catch(() => undefined);
  return known !== undefined && Date.now() - known.mtimeMs > ABANDONED_MS;
}

/** Containers that share a folder have separate process ids, but different host names. */
function machine(): string {
  return hostname().replace(/[^\w.]+/g, "_");
}

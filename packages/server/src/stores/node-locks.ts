import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import { errorCode } from "../lib/error-code.ts";

/**
 * Shows for certain whether a process that uses the same data folder is running. Each process holds an exclusive lock on
 * its own file; the kernel releases it when the process ends, however it ends. Unlike a process id, a lock is never
 * reused, and it is visible from every container that shares the folder.
 */
export interface NodeLocks {
  /** The result releases it. */
  hold(id: string): () => void;
  /** "unknown" when there is no file: the database was copied from another machine. */
  state(id: string): "held" | "free" | "unknown";
  /** Removes the file of an expired node. */
  forget(id: string): void;
}

/** Node.js has no file locks, but SQLite has: an open transaction on an empty database is one. */
export function createNodeLocks(folder: string): NodeLocks {
  const files = join(folder, "nodes");
  const pathOf = (id: string): string => join(files, `${id}.lock`);
  return {
    hold(id) {
      mkdirSync(files, { recursive: true, mode: 0o700 });
      const database = new Database(pathOf(id), { timeout: 0 });
      database.exec("begin exclusive");
      return () => {
        database.close();
        rmSync(pathOf(id), { force: true });
      };
    },
    state(id) {
      if (!existsSync(pathOf(id))) return "unknown";
      const database = new Database(pathOf(id), { timeout: 0 });
      try {
        database.exec("begin exclusive");
        return "free";
      } catch (error) {
        if (errorCode(error) === "SQLITE_BUSY") return "held";
        throw error;
      } finally {
        database.close();
      }
    },
    forget: (id) => rmSync(pathOf(id), { force: true }),
  };
}

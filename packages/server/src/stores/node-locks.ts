import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import Database from "libsql";

/**
 * Says for certain whether a process that uses the same data folder is still there. Each one holds an exclusive lock
 * on a file of its own; the kernel gives it up when the process ends, however it ends. Unlike a process id, a lock
 * is never somebody else's, and it is seen from every container that shares the folder.
 */
export interface NodeLocks {
  /** The result gives it up. */
  hold(id: string): () => void;
  /** "unknown" when there is no file: the database was copied from elsewhere. */
  state(id: string): "held" | "free" | "unknown";
  /** Removes the file of a node that is gone. */
  forget(id: string): void;
}

/** Node knows no file locks, but the database does: an open transaction on an empty database is one. */
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
        if (error instanceof Error && "code" in error && error.code === "SQLITE_BUSY") return "held";
        throw error;
      } finally {
        database.close();
      }
    },
    forget: (id) => rmSync(pathOf(id), { force: true }),
  };
}

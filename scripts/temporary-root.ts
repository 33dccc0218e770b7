import { statfsSync } from "node:fs";
import { tmpdir } from "node:os";

const MEMORY = "/dev/shm";
/** The largest test installs the packages. */
const ROOM_BYTES = 6 * 1024 ** 3;

/**
 * Where tests keep their temporary files: in memory where there is room, unless TMPDIR names a folder. A database writes
 * to the disk several times for each request, and a test waits for it.
 */
export function temporaryRoot(env: NodeJS.ProcessEnv): string {
  if (env.TMPDIR) return env.TMPDIR;
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= ROOM_BYTES ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}

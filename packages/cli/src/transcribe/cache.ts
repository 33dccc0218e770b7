import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

const MAX_AGE_MS = 30 * 24 * 60 * 60 * 1000;

/** The folder of unfinished work: transcribed parts and decoded recordings. */
export function workFolder(environment: NodeJS.ProcessEnv): string {
  const cache = environment.XDG_CACHE_HOME;
  return join(cache ? cache : join(homedir(), ".cache"), "parlance", "transcripts");
}

/** Creates it, and removes what was not used for 30 days. */
export async function prepareWorkFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const known = await stat(path).catch(() => undefined);
    if (known !== undefined && Date.now() - known.mtimeMs > MAX_AGE_MS)
      await rm(path, { recursive: true, force: true });
  }
}

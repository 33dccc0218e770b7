import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

const FORGOTTEN_MS = 30 * 24 * 60 * 60 * 1000;

/** Where half-done work lies: parts that are finished, and recordings in the form in which they are cut. */
export function workFolder(environment: NodeJS.ProcessEnv): string {
  const cache = environment.XDG_CACHE_HOME;
  return join(cache ? cache : join(homedir(), ".cache"), "parlance", "transcripts");
}

/** Makes it, and removes what nobody came back for. */
export async function prepareWorkFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const known = await stat(path).catch(() => undefined);
    if (known !== undefined && Date.now() - known.mtimeMs > FORGOTTEN_MS)
      await rm(path, { recursive: true, force: true });
  }
}

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

const pathIn = (folder: string): string => join(folder, "address");

/**
 * Keeps the address of the service in its data folder, for commands that run without the settings of the server. It stays
 * when the server stops: the next start will most likely have the same. A server whose folder cannot be written starts, too.
 */
export async function writeAddress(folder: string, url: string): Promise<void> {
  await writeFile(pathIn(folder), `${url}\n`).catch(() => {});
}

/** Undefined where no server has been started. */
export async function readAddress(folder: string): Promise<string | undefined> {
  const text = await readFile(pathIn(folder), "utf8").catch(() => "");
  return text.trim() || undefined;
}

import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface TemporaryFolder {
  readonly path: string;
  /** With all that is in it. */
  remove(): Promise<void>;
}

/** Makes a folder. `parent`: the system's temporary folder by default; it is created where it is missing. */
export async function createTemporaryFolder(prefix: string, parent = tmpdir()): Promise<TemporaryFolder> {
  await mkdir(parent, { recursive: true });
  const path = await mkdtemp(join(parent, prefix));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** Works in a folder, which is removed when the work ends or fails. */
export async function inTemporaryFolder<Result>(
  prefix: string,
  parent: string | undefined,
  work: (path: string) => Promise<Result>,
): Promise<Result> {
  const folder = await createTemporaryFolder(prefix, parent);
  try {
    return await work(folder.path);
  } finally {
    await folder.remove();
  }
}

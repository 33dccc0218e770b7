import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { NpmTarball } from "./model.ts";

/** The paths in a store's folder. All are on one file system, so that a rename is atomic. */
export interface Layout {
  readonly directory: string;
  /** Tarballs and files that are being downloaded. */
  readonly downloads: string;
  /** Models that are being installed or removed. */
  readonly staging: string;
  readonly locks: string;
  model(id: string): string;
  record(id: string): string;
  modelLock(id: string): string;
  tarball(tarball: NpmTarball): string;
}

export function createLayout(directory: string): Layout {
  const root = resolve(directory);
  const locks = join(root, ".locks");
  const downloads = join(root, ".downloads");
  return {
    directory: root,
    downloads,
    staging: join(root, ".staging"),
    locks,
    model: (id) => join(root, id),
    record: (id) => join(root, id, "installed.json"),
    modelLock: (id) => join(locks, `${id}.lock`),
    tarball: ({ name, version }) => join(downloads, `${name.replace("/", "+")}-${version}.tgz`),
  };
}

/**
 * The folder of the models: `$PARLANCE_MODELS`, or `~/.cache/parlance/models`.
 *
 * @example
 * ```ts
 * import { defaultModelsDirectory } from "@parlance/speech";
 *
 * console.log(defaultModelsDirectory(process.env));
 * ```
 */
export function defaultModelsDirectory(environment: NodeJS.ProcessEnv): string {
  const chosen = environment.PARLANCE_MODELS;
  return resolve(chosen ? chosen : join(homedir(), ".cache", "parlance", "models"));
}

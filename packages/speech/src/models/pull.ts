import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { HttpClient } from "./http-client.ts";
import { install } from "./install.ts";
import { installState } from "./installed.ts";
import type { Layout } from "./layout.ts";
import { withLock } from "./lock.ts";
import { downloadBytes, type Model, modelTarballs, type NpmTarball, tarballName } from "./model.ts";
import type { PullEvent, PullStep } from "./pull-event.ts";
import type { StoreTimeouts } from "./timeouts.ts";

export interface PullContext {
  readonly layout: Layout;
  /** Created when it is first needed: a pull of installed models reads no settings and opens no connection. */
  readonly http: () => Promise<HttpClient>;
  readonly timeouts: StoreTimeouts;
  readonly signal: AbortSignal;
  readonly onProgress: (event: PullEvent) => void;
}

export async function pullModels(models: readonly Model[], context: PullContext): Promise<void> {
  const { layout } = context;
  const absent: Model[] = [];
  for (const model of models) {
    context.signal.throwIfAborted();
    if ((await installState(layout, model)) === "installed") context.onProgress(finished(model, "present"));
    else absent.push(model);
  }
  if (absent.length === 0) return;
  for (const folder of [layout.directory, layout.downloads, layout.staging, layout.locks])
    await mkdir(folder, { recursive: true });
  await removeOldDownloads(layout);
  const http = await context.http();
  const kept = new Set<NpmTarball>();
  try {
    for (const [index, model] of absent.entries()) await pullModel(model, absent.slice(index + 1), kept, http, context);
  } catch (error) {
    await removeTarballs(kept, context);
    throw error;
  }
}

async function pullModel(
  model: Model,
  later: readonly Model[],
  kept: Set<NpmTarball>,
  http: HttpClient,
  { layout, timeouts, signal, onProgress }: PullContext,
): Promise<void> {
  const received = new Map<string, number>();
  const total = downloadBytes(model);
  const report = (step: PullStep, download?: { name: string; received: number }): void => {
    if (download) received.set(download.name, download.received);
    const sum = [...received.values()].reduce((all, bytes) => all + bytes, 0);
    onProgress({ model: model.id, step, received: Math.min(sum, total), total });
  };
  const onWait = () => report("waiting");
  await withLock(layout.modelLock(model.id), timeouts, signal, onWait, async (inner) => {
    // The previous holder of the lock may have installed it.
    if ((await installState(layout, model)) === "installed") return;
    const isNeededAgain = (tarball: NpmTarball) => {
      const again = later.flatMap(modelTarballs).some((other) => tarballName(other) === tarballName(tarball));
      if (again) kept.add(tarball);
      return again;
    };
    await install(model, { layout, http, timeouts, signal: inner, report, isNeededAgain });
  });
  onProgress(finished(model, "installed"));
}

function finished(model: Model, step: PullStep): PullEvent {
  const total = downloadBytes(model);
  return { model: model.id, step, received: total, total };
}

/** Removes tarballs that were kept for a later model of a pull that has failed. */
async function removeTarballs(kept: ReadonlySet<NpmTarball>, { layout, timeouts }: PullContext): Promise<void> {
  for (const tarball of kept) {
    const path = layout.tarball(tarball);
    const shortTimeouts = { ...timeouts, lockWaitMs: 1000 };
    // Another holder of the lock uses the tarball, and deletes it.
    await withLock(
      `${path}.lock`,
      shortTimeouts,
      AbortSignal.timeout(2000),
      () => {},
      () => rm(path, { force: true }),
    ).catch(() => {});
  }
}

const oldMs = 7 * 24 * 60 * 60 * 1000;

/** Removes downloads that were never resumed. */
async function removeOldDownloads({ downloads, locks }: Layout): Promise<void> {
  for (const folder of [downloads, locks]) {
    for (const name of await readdir(folder)) {
      const path = join(folder, name);
      const stats = await stat(path).catch(() => undefined);
      if (stats && Date.now() - stats.mtimeMs > oldMs) await rm(path, { recursive: true, force: true });
    }
  }
}

import { randomUUID } from "node:crypto";
import { readlinkSync } from "node:fs";
import { link, open, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { errorCode } from "../lib/errors.ts";
import { isProcessAlive } from "../lib/process-alive.ts";
import { ModelStoreError } from "./errors.ts";
import type { StoreTimeouts } from "./timeouts.ts";

interface Owner {
  readonly token: string;
  readonly pid: number;
  /** Where the pid is valid: the host name and the pid namespace. */
  readonly realm: string;
}

/**
 * Runs work while no other process, and no other caller in this one, holds the same lock file.
 *
 * The owner updates the time of the file at intervals. A lock is taken over when its owner is gone: at once when the process no
 * longer exists on this machine, otherwise (another machine, a reused pid) after a time without an update. The lock only avoids
 * duplicate work; the store stays correct because only checked files are renamed into place. So an owner that was suspended and
 * lost its lock does no harm: its signal aborts.
 */
export async function withLock<T>(
  path: string,
  timeouts: StoreTimeouts,
  signal: AbortSignal,
  onWait: () => void,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const owner: Owner = { token: randomUUID(), pid: process.pid, realm };
  await acquire(path, owner, timeouts, signal, onWait);
  const lost = new AbortController();
  const heartbeat = setInterval(() => void touch(path, owner, lost), timeouts.lockStaleMs / 10);
  heartbeat.unref();
  try {
    return await work(AbortSignal.any([signal, lost.signal]));
  } finally {
    clearInterval(heartbeat);
    if ((await readOwner(path))?.token === owner.token) await rm(path, { force: true });
  }
}

const realm = `${hostname()} ${pidNamespace()}`;

/** Containers may share a host name and a volume, but not their process ids. */
function pidNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}

async function acquire(
  path: string,
  owner: Owner,
  timeouts: StoreTimeouts,
  signal: AbortSignal,
  onWait: () => void,
): Promise<void> {
  const deadline = performance.now() + timeouts.lockWaitMs;
  const pause = Math.min(250, timeouts.lockStaleMs / 10);
  let seen = "";
  let seenSince = performance.now();
  for (let round = 0; ; round++) {
    signal.throwIfAborted();
    if (await tryCreate(path, owner)) return;
    if (round === 0) onWait();
    const holder = await readOwner(path);
    const state = `${holder?.token} ${await touchedAt(path)}`;
    // By the clock of this process: that of the file system may differ.
    if (state !== seen) {
      seen = state;
      seenSince = performance.now();
    }
    const isStale = performance.now() - seenSince > timeouts.lockStaleMs;
    if (isStale || (holder && isGone(holder))) {
      await removeStale(path, holder, owner);
      continue;
    }
    if (performance.now() > deadline) {
      const who = holder ? `process ${holder.pid} on ${holder.realm.split(" ")[0]}` : "another process";
      throw new ModelStoreError("busy", `Gave up waiting for ${who}, which holds ${path}`);
    }
    await sleep(pause, undefined, { signal });
  }
}

/** A hard link appears with its content, so a reader never sees an empty lock. */
async function tryCreate(path: string, owner: Owner): Promise<boolean> {
  const draft = `${path}.${owner.token}`;
  await writeFile(draft, JSON.stringify(owner));
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    return await tryCreateWithoutLinks(path, owner);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Some file systems (exFAT, some network shares) have no hard links. */
async function tryCreateWithoutLinks(path: string, owner: Owner): Promise<boolean> {
  try {
    const file = await open(path, "wx");
    await file.writeFile(JSON.stringify(owner)).finally(() => file.close());
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

/**
 * Removes the lock of an owner that is gone. Two waiting processes may do so at once, and the slower one may get the new lock of
 * the faster one. So the file is renamed first to read its owner, and the lock of a running owner is restored.
 */
async function removeStale(path: string, stale: Owner | undefined, self: Owner): Promise<void> {
  const renamed = `${path}.${self.token}.stale`;
  try {
    await rename(path, renamed);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return;
    throw error;
  }
  const found = await readOwner(renamed);
  if (found && found.token !== stale?.token) await link(renamed, path).catch(() => {});
  await rm(renamed, { force: true });
}

async function touch(path: string, owner: Owner, lost: AbortController): Promise<void> {
  const holder = await readOwner(path);
  if (holder && holder.token !== owner.token) {
    lost.abort(new ModelStoreError("busy", `Another process took ${path} over`));
    return;
  }
  const now = new Date();
  await utimes(path, now, now).catch(() => {});
}

async function touchedAt(path: string): Promise<number> {
  try {
    return (await stat(path)).mtimeMs;
  } catch {
    return 0;
  }
}

async function readOwner(path: string): Promise<Owner | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(path, "utf8"));
    if (typeof value !== "object" || value === null) return undefined;
    if (!("token" in value) || !("pid" in value) || !("realm" in value)) return undefined;
    return { token: String(value.token), pid: Number(value.pid), realm: String(value.realm) };
  } catch {
    return undefined;
  }
}

function isGone(owner: Owner): boolean {
  return owner.realm === realm && !isProcessAlive(owner.pid);
}

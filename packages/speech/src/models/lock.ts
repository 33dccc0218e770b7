import { randomUUID } from "node:crypto";
import { readlinkSync } from "node:fs";
import { link, open, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { errorCode, ModelStoreError } from "./errors.ts";
import type { Patience } from "./stall-timeout.ts";

interface Owner {
  readonly token: string;
  readonly pid: number;
  /** Where the pid means something: this machine, and this container on it. */
  readonly realm: string;
}

/**
 * Runs the work while no other process, and no other caller in this one, runs under the same lock file.
 *
 * The owner touches the file while it lives. A lock is taken over when its owner is gone: at once when the process no
 * longer exists on this machine, otherwise (another machine, a reused pid) after a time without a touch. The lock saves
 * doubled work; what keeps the store right is that only checked files are renamed into place. So the rare case of an
 * owner that was frozen and lost its lock does no harm: its signal aborts.
 */
export async function withLock<T>(
  path: string,
  patience: Patience,
  signal: AbortSignal,
  onWait: () => void,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const owner: Owner = { token: randomUUID(), pid: process.pid, realm };
  await acquire(path, owner, patience, signal, onWait);
  const lost = new AbortController();
  const heartbeat = setInterval(() => void touch(path, owner, lost), patience.lockStaleMs / 10);
  heartbeat.unref();
  try {
    return await work(AbortSignal.any([signal, lost.signal]));
  } finally {
    clearInterval(heartbeat);
    if ((await readOwner(path))?.token === owner.token) await rm(path, { force: true });
  }
}

const realm = `${hostname()} ${pidNamespace()}`;

/** Containers may share a host name and a volume, yet not their process ids. */
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
  patience: Patience,
  signal: AbortSignal,
  onWait: () => void,
): Promise<void> {
  const deadline = performance.now() + patience.lockWaitMs;
  const pause = Math.min(250, patience.lockStaleMs / 10);
  let seen = "";
  let seenSince = performance.now();
  for (let round = 0; ; round++) {
    signal.throwIfAborted();
    if (await tryCreate(path, owner)) return;
    if (round === 0) onWait();
    const holder = await readOwner(path);
    const sign = `${holder?.token} ${await touchedAt(path)}`;
    // judged by our own clock: the file system's may differ
    if (sign !== seen) {
      seen = sign;
      seenSince = performance.now();
    }
    const silent = performance.now() - seenSince > patience.lockStaleMs;
    if (silent || (holder && isDead(holder))) {
      await takeAway(path, holder, owner);
      continue;
    }
    if (performance.now() > deadline) {
      const who = holder ? `process ${holder.pid} on ${holder.realm.split(" ")[0]}` : "another process";
      throw new ModelStoreError("busy", `Gave up waiting for ${who}, which holds ${path}`);
    }
    await sleep(pause, undefined, { signal });
  }
}

/** A link appears with its content or not at all, so a reader never meets an empty lock. */
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
 * Removes a dead owner's lock. Two waiters may try at once and the slower one may catch the faster one's fresh lock:
 * moving it aside first shows whose it was, and a living owner's lock is put back.
 */
async function takeAway(path: string, dead: Owner | undefined, self: Owner): Promise<void> {
  const aside = `${path}.${self.token}.dead`;
  try {
    await rename(path, aside);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return;
    throw error;
  }
  const caught = await readOwner(aside);
  if (caught && caught.token !== dead?.token) await link(aside, path).catch(() => {});
  await rm(aside, { force: true });
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

function isDead(owner: Owner): boolean {
  if (owner.realm !== realm) return false;
  try {
    process.kill(owner.pid, 0);
    return false;
  } catch (error) {
    return errorCode(error) === "ESRCH";
  }
}

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { sourceFlags, sourcePath } from "../../../../tests/support/child-sources.ts";
import { withLock } from "./lock.ts";
import { defaultTimeouts } from "./timeouts.ts";

const timeouts = { ...defaultTimeouts, lockStaleMs: 500, lockWaitMs: 60_000 };
const never = new AbortController().signal;

let folder: string;
let path: string;

const locked = <Result>(work: (signal: AbortSignal) => Promise<Result>, within = timeouts): Promise<Result> =>
  withLock(path, within, never, () => {}, work);

describe("lock", { timeout: 600_000 }, () => {
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "parlance-lock-"));
    path = join(folder, "it.lock");
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it("is held by one owner at a time, and leaves no files", async () => {
    let inside = 0;
    let most = 0;
    let done = 0;
    const work = async () => {
      most = Math.max(most, ++inside);
      await sleep(5);
      inside--;
      done++;
    };
    const callers = Array.from({ length: 8 }, () => locked(work));
    await Promise.all(callers);
    assert.equal(done, 8);
    assert.equal(most, 1);
    assert.deepEqual(await readdir(folder), []);
  });

  it("is free again after the work failed", async () => {
    const failing = locked(() => Promise.reject(new Error("oops")));
    await assert.rejects(failing, /oops/);
    assert.equal(await locked(async () => "in"), "in");
  });

  it("stays with a running owner for longer than the lease", async () => {
    let released = false;
    let enter = (): void => {};
    const inside = new Promise<void>((resolve) => {
      enter = resolve;
    });
    const first = locked(async () => {
      enter();
      await sleep(timeouts.lockStaleMs * 4);
      released = true;
    });
    await inside;
    await locked(async () => assert.equal(released, true));
    await first;
  });

  it("is taken over at once from a process that was killed", async () => {
    const script = `
      import { withLock } from ${JSON.stringify(sourcePath("./lock.ts", import.meta.url))};
      await withLock(${JSON.stringify(path)}, ${JSON.stringify(defaultTimeouts)}, new AbortController().signal, () => {},
        () => new Promise(() => { setInterval(() => {}, 1000); console.log("in"); }));`;
    const child = spawn(process.execPath, [...sourceFlags, "--input-type=module", "-e", script]);
    await once(child.stdout, "data");
    child.kill("SIGKILL");
    await once(child, "exit");
    assert.deepEqual(await readdir(folder), ["it.lock"]);
    // with the default timeouts a silent owner would be waited for a minute
    const quick = { ...defaultTimeouts, lockWaitMs: 5000 };
    await locked(async () => {}, quick);
    assert.deepEqual(await readdir(folder), []);
  });

  it("is taken over from an owner on another machine that does not renew it", async () => {
    await writeFile(path, JSON.stringify({ token: "x", pid: 1, realm: "another-machine " }));
    await locked(async () => {});
    await writeFile(path, "half wri");
    await locked(async () => {});
  });

  it("waits until the timeout, and names the owner", async () => {
    await writeFile(path, JSON.stringify({ token: "x", pid: 7, realm: "another-machine " }));
    const beat = setInterval(() => void utimes(path, new Date(), new Date()), 20);
    try {
      const short = { ...timeouts, lockWaitMs: 300 };
      await assert.rejects(
        locked(async () => {}, short),
        {
          code: "busy",
          message: /process 7 on another-machine/,
        },
      );
    } finally {
      clearInterval(beat);
    }
  });

  it("stops waiting when it is aborted", async () => {
    const abort = new AbortController();
    await locked(async () => {
      const second = withLock(
        path,
        timeouts,
        abort.signal,
        () => abort.abort(new Error("no more")),
        async () => {},
      );
      await assert.rejects(second);
    });
  });

  it("aborts the work of an owner that has lost the lock", async () => {
    await locked(async (signal) => {
      await writeFile(path, JSON.stringify({ token: "other", pid: process.pid, realm: "another-machine " }));
      for (let round = 0; !signal.aborted && round < 500; round++) await sleep(20);
      assert.equal(signal.reason.code, "busy");
    });
    assert.deepEqual(await readdir(folder), ["it.lock"]);
  });
});

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, it } from "node:test";
import { setImmediate } from "node:timers/promises";
import { batchesBySize, batchesOf } from "./batches.ts";
import { errorCode, errorMessage } from "./error-code.ts";
import { newId, newToken } from "./ids.ts";
import { languageName } from "./language-name.ts";
import { lazyValue } from "./lazy-value.ts";
import { isProcessAlive } from "./process-alive.ts";
import { createSlots } from "./slots.ts";
import { isoTime } from "./time.ts";
import { doneWithin, orAborted, withTimeout } from "./time-limit.ts";
import { createTurnsByKey } from "./turns-by-key.ts";

const never = new Promise<never>(() => {});

describe("ids and times", () => {
  it("are random, of one length, and sort as text", () => {
    assert.match(newId(), /^[0-9a-f]{32}$/);
    assert.match(newToken(), /^[\w-]{43}$/);
    assert.notEqual(newId(), newId());
    assert.equal(isoTime(0), "1970-01-01T00:00:00.000Z");
    assert.ok(isoTime(999) < isoTime(1000));
  });
});

describe("lazyValue", () => {
  it("makes a value when it is needed, and only once, even if it is undefined", () => {
    let made = 0;
    const value = lazyValue(() => {
      made++;
    });
    assert.equal(made, 0);
    value();
    assert.equal(value(), undefined);
    assert.equal(made, 1);
  });
});

describe("languageName", () => {
  it("is English, or the code of a language that has no name", () => {
    assert.equal(languageName("de"), "German");
    assert.equal(languageName("qqq"), "qqq");
  });
});

describe("batchesOf", () => {
  it("keeps the order and leaves nothing out", () => {
    assert.deepEqual([...batchesOf([1, 2, 3, 4, 5], 2)], [[1, 2], [3, 4], [5]]);
    assert.deepEqual([...batchesOf([], 2)], []);
  });

  it("also by bytes, with at least one item", () => {
    const items = [1, 2, 9, 1, 1, 1].map((bytes) => ({ bytes }));
    const batches = [...batchesBySize(items, { count: 2, bytes: 4 })].map((batch) => batch.map(({ bytes }) => bytes));
    assert.deepEqual(batches, [[1, 2], [9], [1, 1], [1]]);
    assert.deepEqual([...batchesBySize([], { count: 2, bytes: 4 })], []);
  });
});

describe("errorCode and errorMessage", () => {
  it("read errors and anything else that is thrown", () => {
    assert.equal(errorCode(Object.assign(new Error("x"), { code: "EPERM" })), "EPERM");
    assert.equal(errorCode(new Error("x")), undefined);
    assert.equal(errorCode("x"), undefined);
    assert.equal(errorMessage(new Error("x")), "x");
    assert.equal(errorMessage(7), "7");
  });
});

describe("isProcessAlive", () => {
  it("is true for a running process and false after its exit", async () => {
    const child = spawn(process.execPath, ["-e", "process.stdin.resume()"], { stdio: ["pipe", "ignore", "inherit"] });
    await once(child, "spawn");
    const pid = child.pid ?? assert.fail("no pid");
    assert.equal(isProcessAlive(pid), true);
    child.stdin.end();
    await once(child, "exit");
    assert.equal(isProcessAlive(pid), false);
  });
});

describe("time limits", () => {
  it("report whether work is done in time", async () => {
    assert.equal(await doneWithin(Promise.resolve(), 1000), true);
    assert.equal(await doneWithin(never, 5), false);
    await assert.rejects(doneWithin(Promise.reject(new Error("broken")), 1000), /broken/);
  });

  it("throw when work takes too long", async () => {
    assert.equal(await withTimeout(Promise.resolve(7), 1000), 7);
    await assert.rejects(withTimeout(never, 5), /no answer within 5 ms/);
  });

  it("throw the reason of the signal at once, also before the work begins", async () => {
    const controller = new AbortController();
    const waiting = orAborted(never, controller.signal);
    controller.abort(new Error("stopped"));
    await assert.rejects(waiting, /stopped/);
    await assert.rejects(orAborted(never, controller.signal), /stopped/);
    assert.equal(await orAborted(Promise.resolve(7), new AbortController().signal), 7);
  });
});

describe("slots", () => {
  it("run a bounded number at a time, in order, and refuse when too many wait", async () => {
    const slots = createSlots({ slots: 2, maxWaiting: 1, onFull: () => new Error("full") });
    const finish: (() => void)[] = [];
    const started: string[] = [];
    const task = (name: string) => () => {
      started.push(name);
      return new Promise<string>((resolve) => finish.push(() => resolve(name)));
    };
    const tasks = ["a", "b", "c"].map((name) => slots.run(task(name)));
    await assert.rejects(slots.run(task("d")), /full/);
    assert.deepEqual(started, ["a", "b"]);
    finish[0]?.();
    assert.equal(await tasks[0], "a");
    await setImmediate();
    assert.deepEqual(started, ["a", "b", "c"]);
    for (const end of finish) end();
    assert.deepEqual(await Promise.all(tasks), ["a", "b", "c"]);
  });

  it("are held until they are left, by work that is not one function", async () => {
    const slots = createSlots({ slots: 1, maxWaiting: 1, onFull: () => new Error("full") });
    const leave = await slots.enter();
    const next = slots.run(async () => 7);
    await assert.rejects(slots.enter(), /full/);
    leave();
    assert.equal(await next, 7);
  });

  it("are free again after a failure", async () => {
    const slots = createSlots({ slots: 1, maxWaiting: 0, onFull: () => new Error("full") });
    await assert.rejects(
      slots.run(() => Promise.reject(new Error("broken"))),
      /broken/,
    );
    assert.equal(await slots.run(async () => 7), 7);
  });
});

describe("createTurnsByKey", () => {
  it("runs tasks of one key in order, also after one that fails, and other keys meanwhile", async () => {
    const turns = createTurnsByKey();
    const log: string[] = [];
    let release = (): void => {};
    const held = turns.run("a", async () => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      log.push("first");
      throw new Error("fails");
    });
    const after = turns.run("a", async () => log.push("second"));
    await turns.run("b", async () => log.push("other"));
    await setImmediate();
    assert.deepEqual(log, ["other"]);
    release();
    await assert.rejects(held, /fails/);
    await after;
    assert.deepEqual(log, ["other", "first", "second"]);
  });
});

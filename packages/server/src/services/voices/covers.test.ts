import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { CleanImage } from "@parlance/speech";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { until } from "../../testing/until.ts";
import { createCovers } from "./covers.ts";

const never = new AbortController().signal;

describe("cover pictures", () => {
  it("are decoded in at most 2 processes; 16 wait, and more are refused with 503", {
    timeout: 30_000,
  }, async (context) => {
    const path = join(await temporaryFolder(context), "picture");
    await writeFile(path, "picture");
    const ends: (() => void)[] = [];
    let running = 0;
    let maxRunning = 0;
    const covers = createCovers(async () => {
      maxRunning = Math.max(maxRunning, ++running);
      await new Promise<void>((resolve) => ends.push(resolve));
      running -= 1;
      return { type: "image/png", bytes: Buffer.from("clean"), width: 1, height: 1 } satisfies CleanImage;
    });
    const outcomes = Array.from({ length: 24 }, () =>
      covers.read(path, never).then(
        () => "read",
        (error: { code: string; retryAfterSeconds: number }) => `${error.code} ${error.retryAfterSeconds}`,
      ),
    );
    let settled = false;
    const all = Promise.all(outcomes).finally(() => {
      settled = true;
    });
    await until(() => {
      for (const end of ends.splice(0)) end();
      return settled;
    });
    const results = await all;
    assert.equal(results.filter((result) => result === "read").length, 18);
    assert.equal(results.filter((result) => result === "overloaded 5").length, 6);
    assert.equal(maxRunning, 2);
  });

  it("start no process after the request was aborted", { timeout: 30_000 }, async () => {
    const covers = createCovers(() => assert.fail("a process was started"));
    await assert.rejects(covers.read("/nowhere", AbortSignal.abort(new Error("disconnected"))), /disconnected/);
  });
});

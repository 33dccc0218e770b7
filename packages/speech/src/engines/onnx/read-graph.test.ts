import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { openSession } from "../session.ts";
import { readGraph } from "./read-graph.ts";

describe("a damaged model file", () => {
  it("is named in the error, with what to do", { timeout: 60_000 }, async (context) => {
    const folder = await mkdtemp(join(tmpdir(), "parlance-model-"));
    context.after(() => rm(folder, { recursive: true }));
    const file = join(folder, "model.onnx");
    const isDescribed = (error: unknown): boolean => {
      assert.ok(error instanceof Error);
      assert.ok(error.message.startsWith(`The model file ${file} is damaged (`), error.message);
      assert.match(error.message, /parlance models remove.*parlance models pull/);
      return true;
    };
    for (const bytes of [Uint8Array.of(7), Uint8Array.of(0x0a, 0xff, 0x0f), new Uint8Array(0)]) {
      await writeFile(file, bytes);
      await assert.rejects(readGraph(file), isDescribed);
    }
    await writeFile(file, "not a model");
    await assert.rejects(openSession(file, 1), isDescribed);
  });

  it("is reported differently from a missing file", { timeout: 60_000 }, async () => {
    await assert.rejects(readGraph("/nowhere/model.onnx"), { code: "ENOENT" });
  });
});

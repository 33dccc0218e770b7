import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { type RunningCli, startCli } from "../../packages/cli/src/testing/run-cli.ts";
import { listening, whileRunning } from "../../packages/cli/src/testing/wait-for.ts";
import { testModels } from "../../packages/speech/src/testing/models.ts";
import { realSpeech } from "../../packages/speech/src/testing/real-speech.ts";
import { sourceFlags, sourcePath } from "../support/child-sources.ts";
import { codeBlocks } from "./markdown.ts";
import { commandPages, isRun, shellBlocks, withoutNpm } from "./shell-blocks.ts";

/** Runs the shell commands and the programs of a page as a reader would paste them, one after the other in one shell. */
describe("the commands of the documentation work when they are pasted", { timeout: 300_000 }, () => {
  // Beside the packages, so that programs find @parlance/client as they do in a checkout.
  let folder: string;
  let data: string;
  let server: RunningCli;
  let url: string;

  before(async () => {
    const recognizers = ["moonshine-base", "whisper-base"];
    const models = await testModels("kokoro-q8", "silero-vad", "xvector", "test-speech", ...recognizers);
    folder = mkdtempSync(fileURLToPath(new URL("../../node_modules/.parlance-docs-", import.meta.url)));
    mkdirSync(join(folder, "bin"));
    // The recordings of docs/voices.md.
    const [first, second] = realSpeech(models);
    copyFileSync(first?.path ?? "", join(folder, "me-1.wav"));
    copyFileSync(second?.path ?? "", join(folder, "me-2.m4a"));
    data = mkdtempSync(join(tmpdir(), "parlance-docs-"));
    const node = `exec "${process.execPath}"`;
    const main = sourcePath("../../packages/cli/src/main.ts", import.meta.url);
    command("parlance", `${node} ${sourceFlags.join(" ")} "${main}" "$@"`);
    const flags = new Set([...sourceFlags, "--import", import.meta.resolve("tsx")]);
    command("npx", `[ "$1" = tsx ] && shift && ${node} ${[...flags].join(" ")} "$@"`);
    // docs/voices.md waits for the end of the background work, of which the refinement takes minutes.
    const settings = { PARLANCE_DATA: data, PARLANCE_WORKERS: "1", PARLANCE_REFINEMENT_SHARE: "0" };
    server = startCli(["serve", "--port", "0"], settings);
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
    const script = shellBlocks(page)
      .filter(isRun)
      .map(({ code }) => withoutNpm(code).replaceAll("http://127.0.0.1:8080", url))
      .join("\n");
    return run(script, page);
  }

  async function run(script: string, name: string, settings: Readonly<Record<string, string>> = {}): Promise<string> {
    const path = `${join(folder, "bin")}:${process.env.PATH}`;
    const shell = spawn("bash", ["-euo", "pipefail", "-c", script], {
      cwd: folder,
      env: { ...process.env, PATH: path, PARLANCE_DATA: data, ...settings },
    });
    let output = "";
    for (const stream of [shell.stdout, shell.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    }
    const [code] = await once(shell, "close");
    assert.equal(code, 0, `${name}:\n${output}`);
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

  const others = commandPages.filter((page) => !["README.md", "docs/quick-start.md"].includes(page));
  for (const page of others.filter((page) => shellBlocks(page).some(isRun))) {
    test(page, async () => {
      await paste(page);
    });
  }

  test("the agent of docs/quick-start.md speaks the output of a language model", async () => {
    const words = ["Paris ", "is the capital ", "of France."];
    const model = createServer((_, response) => {
      response.setHeader("content-type", "text/event-stream");
      for (const content of words) response.write(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`);
      response.end("data: [DONE]\n\n");
    });
    model.listen(0, "127.0.0.1");
    await once(model, "listening");
    try {
      const { port } = model.address() as AddressInfo;
      const key = 'export PARLANCE_API_KEY="$(parlance keys create agent)"';
      const script = `${key}\nnpx tsx agent.mts\nparlance transcribe answer.mp3`;
      const output = await run(script, "agent", { PARLANCE_URL: url, LLM_URL: `http://127.0.0.1:${port}` });
      assert.match(output, /Paris is the capital of France/);
    } finally {
      model.close();
    }
  });
});

async function untilReady(server: RunningCli): Promise<string> {
  const url = await listening(server);
  await whileRunning(server, async () => (await fetch(`${url}/health/ready`)).ok);
  return url;
}

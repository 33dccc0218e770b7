import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { it } from "node:test";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import fc from "fast-check";
import { runCli } from "../packages/cli/src/testing/run-cli.ts";
import { mutated } from "../packages/server/src/testing/mutated-bytes.ts";
import { startTestServer, TEST_KEY } from "../packages/server/src/testing/test-server.ts";
import { burstSamples, wavFile } from "../packages/server/src/testing/wav-file.ts";
import { sourceFlags, sourcePath } from "./support/child-sources.ts";

it("parlance mcp serves the tools of a server over stdio, with files of this machine", async (context) => {
  const server = await startTestServer();
  const folder = await mkdtemp(join(tmpdir(), "parlance-mcp-"));
  context.after(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });
  const main = sourcePath("../packages/cli/src/main.ts", import.meta.url);
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [...sourceFlags, main, "mcp"],
      env: { PATH: process.env.PATH ?? "", PARLANCE_URL: server.url, PARLANCE_API_KEY: TEST_KEY },
      stderr: "inherit",
    }),
  );
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.map(({ name }) => name),
    ["speak", "transcribe", "list_voices"],
  );
  const textOf = async (name: string, args: Record<string, unknown>): Promise<string> => {
    const { content } = await client.callTool({ name, arguments: args });
    assert.ok(content[0]?.type === "text");
    return content[0].text;
  };

  const output = join(folder, "hello.wav");
  assert.match(await textOf("speak", { text: "Hello!", format: "wav", path: output }), /9644 bytes/);
  assert.equal((await readFile(output)).toString("latin1", 0, 4), "RIFF");
  const input = join(folder, "talk.wav");
  await writeFile(input, wavFile(burstSamples(2, [{ start: 0.5, end: 1, level: 40 }]), 16_000));
  assert.equal(await textOf("transcribe", { path: input }), "40");
  assert.match(await textOf("list_voices", { language: "en" }), /tone-one/);
  assert.match(await textOf("transcribe", { path: join(folder, "missing.wav") }), /ENOENT/);
  await client.close();
});

it("parlance mcp answers after any lines on its standard input", async (context) => {
  const server = await startTestServer();
  const main = sourcePath("../packages/cli/src/main.ts", import.meta.url);
  const child = spawn(process.execPath, [...sourceFlags, main, "mcp"], {
    env: { PATH: process.env.PATH ?? "", PARLANCE_URL: server.url, PARLANCE_API_KEY: TEST_KEY },
    // What it reports about bad lines is not read.
    stdio: ["pipe", "pipe", "ignore"],
  });
  context.after(async () => {
    child.kill("SIGKILL");
    await server.close();
  });
  const answers = createInterface(child.stdout)[Symbol.asyncIterator]();
  const write = (line: string | Buffer): boolean => child.stdin.write(line) && child.stdin.write("\n");
  /** Waits for the answer with this id; those to random requests come before it. */
  const answerTo = async (id: string): Promise<unknown> => {
    for (;;) {
      const { value, done } = await answers.next();
      assert.notEqual(done, true, "the process has ended");
      const answer: { readonly id?: unknown } = JSON.parse(value);
      if (answer.id === id) return answer;
    }
  };
  const clientInfo = { name: "test", version: "1.0.0" };
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  write(JSON.stringify({ jsonrpc: "2.0", id: "first", method: "initialize", params }));
  await answerTo("first");
  const method = fc.constantFrom("initialize", "tools/list", "tools/call", "ping", "notifications/cancelled", "x");
  const named = fc.record({
    name: fc.constantFrom("speak", "transcribe", "list_voices", "x"),
    arguments: fc.jsonValue(),
  });
  const message = fc.record({
    jsonrpc: fc.constant("2.0"),
    id: fc.oneof(fc.nat(), fc.string()),
    method,
    params: fc.oneof(named, fc.jsonValue()),
  });
  const line = fc.oneof(
    { weight: 8, arbitrary: mutated(message.map((value) => Buffer.from(JSON.stringify(value)))) },
    { weight: 1, arbitrary: fc.jsonValue().map((value) => Buffer.from(JSON.stringify(value))) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes)) },
  );
  let count = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 10 }), async (lines) => {
      for (const each of lines) write(each);
      const id = `check-${++count}`;
      write(JSON.stringify({ jsonrpc: "2.0", id, method: "ping" }));
      assert.deepEqual(await answerTo(id), { jsonrpc: "2.0", id, result: {} });
    }),
    { numRuns: 40, seed: 15, endOnFailure: true },
  );
  child.stdin.end();
  assert.deepEqual(await once(child, "exit"), [0, null]);
});

it("parlance mcp needs a server", async () => {
  const { code, stderr } = await runCli(["mcp"]);
  assert.equal(code, 2);
  assert.match(stderr, /PARLANCE_URL/);
});

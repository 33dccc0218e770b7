import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { traceList, traceRecord } from "@parlance/protocol";
import { installModels } from "./testing/models.ts";
import type { RunningCli } from "./testing/run-cli.ts";
import { runInProcess } from "./testing/run-in-process.ts";
import { startServe } from "./testing/start-serve.ts";
import { listening, whileRunning } from "./testing/wait-for.ts";

const SHARED = "4bf92f3577b34da6a3ce929d0e0e4736";

describe("parlance trace", () => {
  let folder: string;
  let server: RunningCli;
  let url = "";
  let key = "";

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "parlance-trace-"));
    await installModels("piper-libritts");
    server = startServe(folder, { PARLANCE_KOKORO: "off", PARLANCE_TRACES: "20" });
    url = await listening(server);
    key = await whileRunning(server, () => /export PARLANCE_API_KEY=(\S+)/.exec(server.stderr())?.[1]);
    for (const text of ["Hello there.", "And once more."]) assert.equal((await speak({ text })).status, 200);
    assert.ok((await speak({ text: "No such format.", format: "midi" })).status >= 400);
  });
  after(async () => {
    server?.process.kill("SIGTERM");
    await server?.ended;
    await rm(folder, { recursive: true, force: true });
  });

  async function speak(body: object): Promise<Response> {
    const response = await fetch(`${url}/v1/tts`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        model: "s2-pro",
        "content-type": "application/json",
        traceparent: `00-${SHARED}-00f067aa0ba902b7-01`,
      },
      body: JSON.stringify(body),
    });
    await response.arrayBuffer();
    return response;
  }
  const trace = (...args: readonly string[]) =>
    runInProcess(["trace", ...args], { PARLANCE_URL: url, PARLANCE_API_KEY: key });
  const done = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await trace(...args);
    assert.equal(code, 0, stderr);
    return stdout;
  };

  it("lists recent requests, the newest first, with filters", async () => {
    const lines = (await done()).trimEnd().split("\n");
    assert.match(lines[0] ?? "", /^TRACE +TIME +REQUEST +STATUS +TOOK +FIRST AUDIO +AUDIO$/);
    assert.match(lines[1] ?? "", new RegExp(`^${SHARED}  \\S+ \\S+  POST /v1/tts +4\\d\\d +[\\d.]+ ms +- +-$`));
    assert.match(lines[2] ?? "", /POST \/v1\/tts +200 +[\d.]+ ms +[\d.]+ ms +[\d.]+ s$/);
    assert.equal(lines.length, 4);
    const failed = traceList.parse(JSON.parse(await done("--status", "error", "--all", "--json")));
    assert.deepEqual([failed.items.length, failed.items[0]?.ok, failed.kept], [1, false, 20]);
    const one = traceList.parse(
      JSON.parse(await done("--operation", "tts", "--min-ms", "0", "--limit", "1", "--json")),
    );
    assert.equal(one.items.length, 1);
    const none = await trace("--operation", "asr", "--max-ms", "1");
    assert.deepEqual([none.code, none.stdout], [0, ""]);
    assert.match(none.stderr, /keeps its last 20 requests/);
  });

  it("shows the steps of every request of a trace, as a table without a terminal", async () => {
    const shown = await done(SHARED);
    assert.ok(shown.startsWith(`trace ${SHARED}\n\nPOST /v1/tts  200\n`), shown);
    assert.equal(shown.match(/^POST \/v1\/tts /gm)?.length, 3);
    assert.match(shown, /^STEP +START +TOOK\nedge +0\.0 ms +[\d.]+ ms\n {2}admission +[\d.]+ ms +[\d.]+ ms$/m);
    assert.match(shown, /^ {2}inference 0 +[\d.]+ ms +[\d.]+ ms$/m);
    assert.match(shown, /^ +error: \S/m);
    assert.doesNotMatch(shown, /[█▏]|\p{Cc}\[/u);
    const verbose = await done(`00-${SHARED.toUpperCase()}-00f067aa0ba902b7-01`, "--verbose");
    assert.match(verbose, /^ +http\.route = \/v1\/tts$/m);
    const record = traceRecord.parse(JSON.parse(await done(SHARED, "--json")));
    assert.deepEqual(
      record.requests.map(({ ok }) => ok),
      [true, true, false],
    );
  });

  it("reports for an unknown trace how many are kept", async () => {
    const { code, stdout, stderr } = await trace("a".repeat(32));
    assert.deepEqual([code, stdout], [1, ""]);
    assert.match(stderr, /^parlance: no request of trace a{32} is kept: each node keeps its last 20 requests.*--all/);
  });

  it("reports invalid options", async () => {
    const slips: readonly [readonly string[], RegExp, number][] = [
      [["4bf92f"], /32 hex digits/, 2],
      [["--status", "fine"], /Allowed choices are ok, error/, 2],
      [["--limit", "0"], /whole number from 1 to 100/, 2],
      [["--min-ms", "-1"], /milliseconds/, 2],
      [["--server", "nowhere"], /not the address of a server/, 2],
      [["--server", "http://127.0.0.1:1"], /failed/, 1],
      [["--key", "wrong"], /PARLANCE_API_KEY/, 1],
    ];
    for (const [args, complaint, expected] of slips) {
      const { code, stdout, stderr } = await trace(...args);
      assert.deepEqual([code, stdout], [expected, ""], stderr);
      assert.match(stderr, complaint);
    }
    const nowhere = await runInProcess(["trace"], { PARLANCE_URL: "" });
    assert.equal(nowhere.code, 2);
    assert.match(nowhere.stderr, /--server or PARLANCE_URL/);
  });
});

import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { ApiError, type ListenEvent, Parlance } from "@parlance/client";
import { listen } from "../packages/cli/src/listen/run.ts";
import { createTerminal } from "../packages/cli/src/terminal.ts";
import { startCli } from "../packages/cli/src/testing/run-cli.ts";
import { startTestServer, TEST_KEY, type TestServer } from "../packages/server/src/testing/test-server.ts";
import { until } from "../packages/server/src/testing/until.ts";
import { burstSamples, wavFile } from "../packages/server/src/testing/wav-file.ts";

const samples = burstSamples(3, [
  { start: 0.5, end: 1, level: 40 },
  { start: 1.2, end: 1.5, level: 60 },
]);
const never = new AbortController().signal;

describe("listening live, from the client library and the command line", () => {
  let server: TestServer;
  let folder: string;
  before(async () => {
    server = await startTestServer();
    folder = await mkdtemp(join(tmpdir(), "parlance-listen-test-"));
  });
  after(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });

  it("client.asr.live() yields the events of recognition", async () => {
    const client = new Parlance({ baseUrl: server.url, apiKey: TEST_KEY });
    const session = await client.asr.live({ language: "en", endOfTurn: "silence", silenceMs: 400 });
    assert.match(session.traceId ?? "", /^[0-9a-f]{32}$/);
    for (let at = 0; at < samples.length; at += 1600) await session.send(samples.slice(at, at + 1600));
    session.stop();
    const events: ListenEvent[] = [];
    for await (const event of session) events.push(event);
    const segments = events.filter((event) => event.event === "segment");
    assert.deepEqual(
      segments.map(({ text }) => text),
      ["40 60"],
    );
    assert.equal(events[0]?.event, "speech_started");
  });

  it("client.asr.live() throws the errors of the service", async () => {
    const client = new Parlance({ baseUrl: server.url, apiKey: TEST_KEY });
    const session = await client.asr.live({ language: "xx" });
    await assert.rejects(
      async () => {
        for await (const _ of session);
      },
      (error) => error instanceof ApiError && error.code === "invalid_value",
    );
    const unauthorized = new Parlance({ baseUrl: server.url, apiKey: "wrong" });
    await assert.rejects(unauthorized.asr.live(), (error) => error instanceof ApiError && error.status === 401);
    const aborted = await client.asr.live({}, { signal: AbortSignal.abort(new Error("stop")) }).catch((error) => error);
    assert.match(String(aborted), /stop/);
  });

  it("parlance listen prints the turns of a recording, or every event as JSON", async () => {
    const file = join(folder, "talk.wav");
    await writeFile(file, wavFile(samples, 16_000));
    const environment = { PARLANCE_URL: server.url, PARLANCE_API_KEY: TEST_KEY };
    const run = async (json: boolean): Promise<string> => {
      let text = "";
      const stdout = { isTTY: false, write: (piece: string) => (text += piece) };
      const terminal = createTerminal(environment, { stdout, stderr: stdout });
      await listen(file, { rate: "16000", language: "en", json }, { environment, terminal }, never);
      return text;
    };
    assert.equal(await run(false), "40 60\n");
    const events = (await run(true))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).event);
    assert.equal(events[0], "speech_started");
    assert.equal(events.at(-1), "segment");
  });

  it("parlance listen - prints what comes from standard input, while it comes", async () => {
    const environment = { PARLANCE_URL: server.url, PARLANCE_API_KEY: TEST_KEY };
    const spoken = burstSamples(3, [{ start: 0.5, end: 1, level: 40 }], 8000);
    const piped = ["listen", "-", "--rate", "8000", "--language", "en", "--json"];
    const cli = startCli(piped, environment, { inputStaysOpen: true });
    cli.process.stdin.write(new Uint8Array(spoken.buffer));
    await until(() => cli.written() > 0, { what: "an event before the end of the input" });
    cli.process.stdin.end();
    const { code, stdout, stderr } = await cli.ended;
    assert.equal(code, 0, stderr);
    const events: ListenEvent[] = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      events.flatMap((event) => (event.event === "segment" ? [event.ends_turn] : [])),
      [true],
    );
    const started = events.find((event) => event.event === "speech_started");
    assert.ok(started && Math.abs(started.time - 0.5) < 0.07);
  });
});

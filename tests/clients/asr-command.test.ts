import assert from "node:assert/strict";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { runCli, startCli } from "../../packages/cli/src/testing/run-cli.ts";
import { useTranscriptCache } from "../../packages/cli/src/testing/transcript-cache.ts";
import { whileRunning } from "../../packages/cli/src/testing/wait-for.ts";
import { createBurstTranscription } from "../../packages/server/src/testing/burst-transcription.ts";
import { startTestServer, TEST_KEY, type TestServer } from "../../packages/server/src/testing/test-server.ts";
import { burstSamples, wavFile } from "../../packages/server/src/testing/wav-file.ts";

const temporary = useTranscriptCache();
const { kept } = temporary;

describe("parlance transcribe with a server", { timeout: 600_000 }, () => {
  let server: TestServer;
  let heldFrom = Number.POSITIVE_INFINITY;
  const transcription = createBurstTranscription({
    before: async ({ signal }) => {
      if (transcription.jobs.length > heldFrom) {
        await new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      }
    },
  });
  const bursts = Array.from({ length: 200 }, (_, i) => ({ start: 3 * i + 1, end: 3 * i + 2, level: 1 + (i % 99) }));
  let recording: string;
  before(async () => {
    server = await startTestServer({ transcription });
    recording = join(temporary.folder, "bursts.wav");
    await writeFile(recording, wavFile(burstSamples(600, bursts), 16_000));
  });
  after(() => server.close());

  const settings = () => ({ XDG_CACHE_HOME: temporary.cache, PARLANCE_URL: server.url, PARLANCE_API_KEY: TEST_KEY });

  it("resumes after an interruption", async () => {
    heldFrom = transcription.jobs.length + 3;
    const first = startCli(["transcribe", recording], settings());
    await whileRunning(first, () => transcription.jobs.length >= heldFrom + 2);
    first.process.kill("SIGINT");
    const stopped = await first.ended;
    assert.equal(stopped.code, 130, stopped.stderr);
    assert.match(stopped.stderr, /3 finished parts are kept; the same command continues from there/);
    assert.equal((await kept()).length, 1);

    heldFrom = Number.POSITIVE_INFINITY;
    const before = transcription.jobs.length;
    const { code, stdout, stderr } = await runCli(["transcribe", recording], settings());
    assert.equal(code, 0, stderr);
    assert.equal(stdout, `${bursts.map(({ level }) => level).join(" ")}\n`);
    const sent = transcription.jobs.length - before;
    assert.ok(sent >= 2 && sent <= 7, `${sent} parts were sent again`);
    assert.deepEqual(await kept(), []);
  });

  it("passes the options on", async () => {
    const args = ["transcribe", "--words", "-l", "FR", "-m", "whisper", "-f", "json", recording];
    const { code, stdout, stderr } = await runCli(args, settings());
    assert.equal(code, 0, stderr);
    const result: { language: string; duration: number; segments: { start: number }[] } = JSON.parse(stdout);
    assert.equal(result.language, "fr");
    assert.equal(result.duration, 600);
    assert.deepEqual(
      result.segments.map(({ start }) => start),
      bursts.map(({ start }) => start),
    );
    const asked = transcription.jobs.at(-1)?.request;
    assert.deepEqual([asked?.engine, asked?.language, asked?.granularity], ["whisper", "fr", "word"]);
  });

  it("prints the error of the server once when no file can succeed", async () => {
    const { code, stderr } = await runCli(
      ["transcribe", "-o", join(temporary.folder, "no"), recording, recording.replace("bursts", "speech")],
      {
        ...settings(),
        PARLANCE_API_KEY: "not-a-key-of-this-server",
      },
    );
    assert.equal(code, 1);
    assert.equal(stderr, "parlance: Invalid API key\n");
  });

  it("reports immediately that the server cannot be reached", async () => {
    const closed = createServer().listen(0, "127.0.0.1");
    await once(closed, "listening");
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    const environment = { ...settings(), PARLANCE_URL: `http://127.0.0.1:${port}` };
    const { code, stderr } = await runCli(["transcribe", recording], environment);
    assert.equal(code, 1);
    assert.match(stderr, /^parlance: http:\/\/127\.0\.0\.1:\d+ cannot be reached: .*ECONNREFUSED.*\n$/);
  });
});

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { startCli } from "../../packages/cli/src/testing/run-cli.ts";
import { temporaryFolder } from "../../packages/server/src/testing/temporary-folder.ts";
import { startTestServer } from "../../packages/server/src/testing/test-server.ts";
import { testModels } from "../../packages/speech/src/testing/models.ts";
import { natsMissing, startNatsServer } from "../support/nats-server.ts";
import { until } from "../support/until.ts";

/** Fifty seconds of audio, in many chunks. */
const LONG = "The harbour was quiet, and only the gulls were awake when the first boats came in. ".repeat(10);
const LIGHT = { PARLANCE_WORKERS: "1", PARLANCE_WHISPER: "off", PARLANCE_CLONING: "off" };

describe("parlance work", { skip: natsMissing, timeout: 240_000 }, () => {
  it("joins a cluster, and leaves it after Ctrl-C when its streams have ended", async (context) => {
    await testModels("kokoro-q8");
    const nats = await startNatsServer();
    context.after(() => nats.kill());
    // Beside other tests, a machine may be too slow to keep fifty seconds of audio ahead of playback.
    const server = await startTestServer({ config: { natsUrl: nats.url, role: "api", keepAhead: "off" } });
    context.after(() => server.close());
    const isReady = async () => (await fetch(`${server.url}/health/ready`)).status === 200;

    const settings = { ...LIGHT, PARLANCE_DATA: await temporaryFolder(context) };
    const machine = startCli(["work", "--nats", nats.url], settings);
    // Where the test fails, the file would end only when the machine does.
    context.after(() => machine.process.kill("SIGKILL"));
    const joined = () => machine.stderr().includes("works for the cluster");
    await until(joined, { what: "the machine has joined", timeoutMs: 120_000, everyMs: 50 });
    await until(isReady, { what: "the api node uses the machine", timeoutMs: 10_000, everyMs: 50 });

    const stream = await server.post({ text: LONG, format: "pcm" });
    assert.equal(stream.status, 200);
    const reader = stream.body?.getReader();
    assert.ok(reader);
    let bytes = (await reader.read()).value?.byteLength ?? 0;
    machine.process.kill("SIGINT");
    await until(async () => !(await isReady()), { what: "the machine takes no new work", timeoutMs: 10_000 });
    const refused = await server.post({ text: "Hello.", format: "pcm" });
    assert.equal(refused.status, 503);
    assert.ok(Number(refused.headers.get("retry-after")) > 0);
    await refused.arrayBuffer();
    assert.equal(machine.process.exitCode, null, "it still speaks");

    for (let part = await reader.read(); !part.done; part = await reader.read()) bytes += part.value.byteLength;
    assert.ok(bytes > 30 * 24_000 * 2, `the stream is complete: ${bytes} bytes`);
    assert.equal((await machine.ended).code, 0);
  });
});

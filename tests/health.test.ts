import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createSpeech, createTranscription, type Speech, type Transcription } from "@parlance/speech";
import { createEngineEvents } from "../packages/server/src/telemetry/engine-events.ts";
import { startTestServer, TEST_KEY, type TestServer } from "../packages/server/src/testing/test-server.ts";
import { testModels } from "../packages/speech/src/testing/models.ts";
import { until } from "./support/until.ts";

interface Check {
  readonly name: string;
  readonly state: string;
  readonly reason?: string;
}

describe("the health of a service with its real engines", { timeout: 600_000 }, () => {
  const events = createEngineEvents();
  let speech: Speech;
  let transcription: Transcription;
  let server: TestServer;

  before(async () => {
    const models = await testModels("kokoro-q8", "silero-vad", "moonshine-base");
    const listening = { ...models, has: async (id: string) => !id.startsWith("whisper") && models.has(id) };
    const watchdog = { intervalMs: 500, unansweredMs: 4_000 };
    speech = await createSpeech({
      keepAhead: false,
      models,
      workers: 2,
      engines: ["kokoro"],
      watchdog,
      onWorkerLost: events.workerLost,
      onChunk: events.chunk,
    });
    transcription = await createTranscription({ models: listening, workers: 1 });
    server = await startTestServer({
      speech,
      transcription,
      config: { healthCheckSeconds: 1 },
      parts: { events, healthChecks: "on" },
    });
  });
  after(async () => {
    await server.close();
    await Promise.all([speech.close(), transcription.close()]);
  });

  async function ready(): Promise<{ status: number; checks: readonly Check[] }> {
    const response = await fetch(`${server.url}/health/ready`);
    const { checks } = (await response.json()) as { checks: readonly Check[] };
    return { status: response.status, checks };
  }

  const metric = async (line: string): Promise<number> => {
    const response = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${TEST_KEY}` } });
    const found = (await response.text()).split("\n").find((each) => each.startsWith(`${line} `));
    return Number(found?.split(" ")[1] ?? 0);
  };

  it("is ok once both probes have passed, after which the recognition workers exit", async () => {
    await until(async () => (await ready()).status === 200, { what: "it is ready", timeoutMs: 120_000, everyMs: 20 });
    const { checks } = await ready();
    assert.deepEqual(
      checks.map(({ name, state }) => [name, state]),
      ["accepting", "database", "voices", "synthesis_kokoro", "recognition"].map((name) => [name, "ok"]),
    );
    await until(() => transcription.workers().length === 0, {
      what: "the recognition workers have exited",
      timeoutMs: 120_000,
      everyMs: 20,
    });
    assert.equal(await metric('parlance_synthesis_chunks_total{engine="kokoro",outcome="done"}'), 0, "not counted");
  });

  it("stays ok when a worker hangs: it is replaced, and requests succeed", async () => {
    await until(() => speech.workers().length === 2, { what: "both workers are up", timeoutMs: 120_000, everyMs: 20 });
    const [victim] = speech.workers();
    assert.ok(victim);
    process.kill(victim.pid, "SIGSTOP");
    for (let i = 0; i < 4; i++) {
      const response = await server.post({ text: "Hello.", format: "pcm" });
      assert.equal(response.status, 200);
      assert.ok((await response.arrayBuffer()).byteLength > 1000);
    }
    await until(() => !speech.workers().some(({ pid }) => pid === victim.pid), {
      what: "the stopped worker is replaced",
      timeoutMs: 120_000,
      everyMs: 20,
    });
    await until(() => speech.workers().length === 2, {
      what: "the pool is complete again",
      timeoutMs: 120_000,
      everyMs: 20,
    });
    assert.equal(await metric('parlance_worker_restarts_total{engine="kokoro"}'), 1);
    assert.equal((await ready()).status, 200);
    assert.ok((await metric('parlance_synthesis_chunks_total{engine="kokoro",outcome="done"}')) >= 4);
    assert.ok((await metric('parlance_synthesis_real_time_factor_count{engine="kokoro"}')) >= 4);
  });

  it("is 503 while no worker can speak, names the failed check, and recovers by itself", async () => {
    // Every replacement is stopped too, until the probe has failed.
    let stopping = true;
    const stopped = new Set<number>();
    const stopper = (async () => {
      while (stopping) {
        for (const { pid } of speech.workers()) {
          if (stopped.has(pid)) continue;
          stopped.add(pid);
          process.kill(pid, "SIGSTOP");
        }
        await sleep(20);
      }
    })();
    try {
      await until(async () => (await ready()).status === 503, {
        what: "it is not ready",
        timeoutMs: 120_000,
        everyMs: 20,
      });
    } finally {
      stopping = false;
      await stopper;
    }
    const { checks } = await ready();
    const failing = checks.filter(({ state }) => state === "failing").map(({ name }) => name);
    assert.ok(failing.length === 0 || failing.join() === "synthesis_kokoro", failing.join());
    assert.equal((await fetch(`${server.url}/health/live`)).status, 200);
    await until(async () => (await ready()).status === 200, {
      what: "it is ready again",
      timeoutMs: 120_000,
      everyMs: 20,
    });
  });
});

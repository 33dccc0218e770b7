import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { SpeechError } from "@parlance/speech";
import { createEngineEvents } from "../../telemetry/engine-events.ts";
import { createBurstTranscription } from "../../testing/burst-transcription.ts";
import { startTestServer } from "../../testing/test-server.ts";
import { createToneSpeech, TONE_VOICES } from "../../testing/tone-speech.ts";
import { until } from "../../testing/until.ts";
import type { CheckReport } from "./check-report.ts";
import { createCanary } from "./periodic-check.ts";

const quiet = { info: () => {}, warn: () => {} };

interface Ready {
  readonly status: number;
  readonly code: string | null;
  readonly body: { readonly status: unknown; readonly message?: string; readonly checks: readonly CheckReport[] };
}

async function start(context: TestContext, options: Parameters<typeof startTestServer>[0] = {}) {
  const server = await startTestServer({ ...options, parts: { healthChecks: "on", ...options.parts } });
  context.after(() => server.close());
  const ready = async (): Promise<Ready> => {
    const response = await fetch(`${server.url}/health/ready`);
    const body = (await response.json()) as Ready["body"];
    return { status: response.status, code: response.headers.get("x-error-code"), body };
  };
  const readyWith = async (status: number): Promise<Ready> => {
    for (;;) {
      const answer = await ready();
      if (answer.status === status) return answer;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  /** Once every canary has sung: those that are not required may be the last. */
  const settledWith = async (status: number): Promise<Ready> => {
    for (;;) {
      const answer = await readyWith(status);
      if (!answer.body.checks.some(({ state }) => state === "pending")) return answer;
    }
  };
  return { server, ready, readyWith, settledWith };
}

const stateOf = ({ body }: Ready, name: string) => body.checks.find((check) => check.name === name)?.state;

describe("/health/ready", { timeout: 120_000 }, () => {
  it("is ok once every canary has sung, and says what was checked and since when", async (context) => {
    const { settledWith } = await start(context);
    const answer = await settledWith(200);
    assert.equal(answer.body.status, "ok");
    assert.deepEqual(
      answer.body.checks.map(({ name, state }) => [name, state]),
      [
        ["accepting", "ok"],
        ["database", "ok"],
        ["voices", "ok"],
        ["synthesis_piper", "ok"],
        ["synthesis_kokoro", "ok"],
        ["recognition", "ok"],
      ],
    );
    for (const { since } of answer.body.checks) assert.ok(Date.parse(since) <= Date.now());
  });

  it("is refused while the first canary has not sung yet", async (context) => {
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const { ready, readyWith } = await start(context, { speech: createToneSpeech({ before: () => gate }) });
    const answer = await ready();
    assert.deepEqual([answer.status, answer.code], [503, "not_ready"]);
    assert.equal(stateOf(answer, "synthesis_piper"), "pending");
    assert.equal(answer.body.status, 503);
    open();
    await readyWith(200);
  });

  it("is refused when the default engine gives nothing, and is ok again when it does", async (context) => {
    let broken = true;
    const before = (): void => {
      if (broken) throw new Error("password of the registry: hunter2");
    };
    const { server, readyWith } = await start(context, { speech: createToneSpeech({ before }) });
    const answer = await readyWith(503);
    await until(() => server.log.some((line) => line.includes("a check has failed")));
    assert.match(answer.body.message ?? "", /^Not ready yet: /);
    assert.doesNotMatch(JSON.stringify((await readyWith(503)).body), /hunter2/, "anybody can read it");
    broken = false;
    await readyWith(200);
    assert.ok(server.log.some((line) => line.includes("a check has passed again")));
  });

  it("is ok without an engine that is not the default one, and says so", async (context) => {
    const speech = createToneSpeech();
    const speak = speech.speak.bind(speech);
    const { settledWith } = await start(context, {
      speech: {
        ...speech,
        speak(request, signal) {
          if (request.voices[0]?.engine === "kokoro") throw new Error("out of order");
          return speak(request, signal);
        },
      },
    });
    const answer = await settledWith(200);
    assert.equal(stateOf(answer, "synthesis_kokoro"), "failing");
    assert.equal(answer.body.checks.find(({ name }) => name === "synthesis_kokoro")?.required, false);
  });

  it("is refused when nothing can be understood, where somebody listens at all", async (context) => {
    const deaf = createBurstTranscription({
      before: () => {
        throw new Error("out of order");
      },
    });
    const broken = await start(context, { transcription: deaf });
    for (;;) {
      const answer = await broken.readyWith(503);
      if (stateOf(answer, "recognition") === "failing") break;
    }
    const absent = await start(context, { transcription: createBurstTranscription({ engines: [] }) });
    assert.equal(stateOf(await absent.readyWith(200), "recognition"), "absent");
  });

  it("stays ok while the canary of an engine that has just appeared sings", async (context) => {
    const voices = TONE_VOICES.filter(({ engine }) => engine === "piper");
    const all = [...voices];
    let appeared = false;
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const speech = createToneSpeech({ voices: all, before: () => (appeared ? gate : undefined) });
    const { ready, readyWith } = await start(context, { speech });
    await readyWith(200);
    appeared = true;
    all.push(...TONE_VOICES.filter(({ engine }) => engine === "kokoro"));
    const answer = await ready();
    assert.equal(answer.status, 200);
    assert.equal(stateOf(answer, "synthesis_kokoro"), "pending");
    open();
    while (stateOf(await ready(), "synthesis_kokoro") !== "ok") await new Promise((resolve) => setTimeout(resolve, 10));
  });

  it("is refused while the database does not answer", async (context) => {
    const { server, readyWith } = await start(context);
    await readyWith(200);
    await server.store.close();
    const answer = await readyWith(503);
    assert.equal(answer.code, "unavailable");
    assert.equal(stateOf(answer, "database"), "failing");
    assert.equal((await fetch(`${server.url}/health/live`)).status, 200);
  });

  it("leaves no trace of its canaries: no request, no charge, no figures", async (context) => {
    const speech = createToneSpeech();
    const { server, readyWith } = await start(context, { speech });
    await readyWith(200);
    assert.ok(speech.asked.length >= 2);
    assert.ok(speech.asked.every(({ request }) => request.uncounted === true));
    const lines = server.log.map((line) => JSON.parse(line)).filter(({ msg }) => msg === "request");
    assert.ok(lines.every(({ route }) => route === "/health/ready"));
  });
});

describe("a canary", () => {
  const options = { name: "x", everyMs: () => 0, retryMs: 0, timeoutMs: 50, log: quiet };

  it("that hangs has failed, though it does not notice that it is to stop", async () => {
    const canary = createCanary({ ...options, run: () => new Promise(() => {}) });
    canary.tick();
    await until(() => canary.check.state === "failing");
    assert.match(canary.check.report(true).reason ?? "", /^no answer within/);
  });

  it("does not sing while others prove that it works", async () => {
    let sung = 0;
    const run = async (): Promise<void> => void sung++;
    const canary = createCanary({ ...options, everyMs: () => 1_000_000, run });
    canary.prove();
    canary.tick();
    assert.deepEqual([sung, canary.check.state], [0, "ok"]);
    canary.doubt();
    canary.tick();
    assert.equal(sung, 1);
  });

  it("finds nothing wrong with a house that is full, and tries again", async () => {
    let sung = 0;
    let full = false;
    const run = async (): Promise<void> => {
      sung++;
      if (full) throw new SpeechError("overloaded", "no room", 1);
    };
    const canary = createCanary({ ...options, run });
    canary.tick();
    await until(() => canary.check.state === "ok");
    full = true;
    canary.doubt();
    for (const expected of [2, 3]) {
      canary.tick();
      await until(() => sung === expected);
      await new Promise(setImmediate);
      assert.equal(canary.check.state, "ok");
    }
  });

  it("sings once where it is not to sing again", async () => {
    let sung = 0;
    const canary = createCanary({ ...options, run: async () => void sung++ });
    canary.tick();
    await until(() => canary.check.state === "ok");
    for (let i = 0; i < 5; i++) canary.tick();
    assert.equal(sung, 1);
  });

  it("is stopped with the server", async () => {
    let stopped = false;
    const canary = createCanary({
      ...options,
      timeoutMs: 60_000,
      run: (signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => {
            stopped = true;
            reject(signal.reason);
          });
        }),
    });
    canary.tick();
    canary.close();
    await until(() => stopped);
    assert.equal(canary.check.state, "pending");
  });
});

it("engine events reach everybody who listens", () => {
  const events = createEngineEvents();
  const heard: string[] = [];
  events.listen({ workerLost: (kind) => heard.push(`a ${kind}`) });
  events.listen({ workerLost: (kind) => heard.push(`b ${kind}`), transcribed: () => heard.push("b heard") });
  events.workerLost("piper");
  events.transcribed({ audioSeconds: 1, seconds: 1 });
  assert.deepEqual(heard, ["a piper", "b piper", "b heard"]);
});

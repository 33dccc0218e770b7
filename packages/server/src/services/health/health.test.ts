import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { SpeechError } from "@parlance/speech";
import { createEngineEvents } from "../../telemetry/engine-events.ts";
import { createBurstTranscription } from "../../testing/burst-transcription.ts";
import { startTestServer } from "../../testing/test-server.ts";
import { createToneSpeech, TONE_VOICES } from "../../testing/tone-speech.ts";
import { until } from "../../testing/until.ts";
import type { CheckReport } from "./check-report.ts";
import { createPeriodicCheck } from "./periodic-check.ts";

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
  const readyWith = (status: number, isWanted: (answer: Ready) => boolean = () => true): Promise<Ready> =>
    until(async () => {
      const answer = await ready();
      return answer.status === status && isWanted(answer) ? answer : undefined;
    });
  /** Once every probe has run, also those of checks that are not required. */
  const settledWith = (status: number): Promise<Ready> =>
    readyWith(status, ({ body }) => !body.checks.some(({ state }) => state === "pending"));
  return { server, ready, readyWith, settledWith };
}

const stateOf = ({ body }: Ready, name: string) => body.checks.find((check) => check.name === name)?.state;

describe("/health/ready", { timeout: 120_000 }, () => {
  it("is ok once every probe has passed, and lists the checks with their times", async (context) => {
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

  it("is 503 while the first probe has not passed yet", async (context) => {
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

  it("is 503 when the default engine fails, and ok again when it works", async (context) => {
    let broken = true;
    const before = (): void => {
      if (broken) throw new Error("password of the registry: hunter2");
    };
    const { server, readyWith } = await start(context, { speech: createToneSpeech({ before }) });
    const answer = await readyWith(503);
    await until(() => server.log.some((line) => line.includes('"health-check.failed"')));
    assert.match(answer.body.message ?? "", /^Not ready yet: /);
    assert.doesNotMatch(JSON.stringify((await readyWith(503)).body), /hunter2/, "the endpoint is public");
    broken = false;
    await readyWith(200);
    assert.ok(server.log.some((line) => line.includes('"health-check.recovered"')));
  });

  it("is ok when an engine other than the default one fails, and reports it", async (context) => {
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

  it("is 503 when recognition fails, and ok when no recognizer is installed", async (context) => {
    const failing = createBurstTranscription({
      before: () => {
        throw new Error("out of order");
      },
    });
    const broken = await start(context, { transcription: failing });
    await broken.readyWith(503, (answer) => stateOf(answer, "recognition") === "failing");
    const absent = await start(context, { transcription: createBurstTranscription({ engines: [] }) });
    assert.equal(stateOf(await absent.readyWith(200), "recognition"), "absent");
  });

  it("stays ok while an engine that has just appeared is probed", async (context) => {
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
    await readyWith(200, (next) => stateOf(next, "synthesis_kokoro") === "ok");
  });

  it("is 503 while the database does not answer", async (context) => {
    const { server, readyWith } = await start(context);
    await readyWith(200);
    await server.store.close();
    const answer = await readyWith(503);
    assert.equal(answer.code, "unavailable");
    assert.equal(stateOf(answer, "database"), "failing");
    assert.equal((await fetch(`${server.url}/health/live`)).status, 200);
  });

  it("keeps probes out of the request log, charges and metrics", async (context) => {
    const speech = createToneSpeech();
    const { server, readyWith } = await start(context, { speech });
    await readyWith(200);
    assert.ok(speech.jobs.length >= 2);
    assert.ok(speech.jobs.every(({ request }) => request.internal === true));
    const lines = server.log.map((line) => JSON.parse(line)).filter(({ event }) => event === "request.finished");
    assert.ok(lines.every(({ route }) => route === "/health/ready"));
  });
});

describe("a periodic check", () => {
  const options = { name: "x", everyMs: () => 0, retryMs: 0, timeoutMs: 50, log: quiet };

  it("fails when its probe hangs and ignores the signal", async () => {
    const check = createPeriodicCheck({ ...options, probe: () => new Promise(() => {}) });
    check.probeIfDue();
    await until(() => check.check.state === "failing");
    assert.match(check.check.report(true).reason ?? "", /^no answer within/);
  });

  it("does not probe while requests succeed", async () => {
    let probes = 0;
    const probe = async (): Promise<void> => void probes++;
    const check = createPeriodicCheck({ ...options, everyMs: () => 1_000_000, probe });
    check.markPassed();
    check.probeIfDue();
    assert.deepEqual([probes, check.check.state], [0, "ok"]);
    check.recheckSoon();
    check.probeIfDue();
    assert.equal(probes, 1);
  });

  it("stays ok while the service is overloaded, and probes again", async () => {
    let probes = 0;
    let full = false;
    const probe = async (): Promise<void> => {
      probes++;
      if (full) throw new SpeechError("overloaded", "no room", 1);
    };
    const check = createPeriodicCheck({ ...options, probe });
    check.probeIfDue();
    await until(() => check.check.state === "ok");
    full = true;
    check.recheckSoon();
    for (const expected of [2, 3]) {
      check.probeIfDue();
      await until(() => probes === expected);
      await new Promise(setImmediate);
      assert.equal(check.check.state, "ok");
    }
  });

  it("probes once where no interval is set", async () => {
    let probes = 0;
    const check = createPeriodicCheck({ ...options, probe: async () => void probes++ });
    check.probeIfDue();
    await until(() => check.check.state === "ok");
    for (let i = 0; i < 5; i++) check.probeIfDue();
    assert.equal(probes, 1);
  });

  it("aborts its probe when it is closed", async () => {
    let stopped = false;
    const check = createPeriodicCheck({
      ...options,
      timeoutMs: 60_000,
      probe: (signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => {
            stopped = true;
            reject(signal.reason);
          });
        }),
    });
    check.probeIfDue();
    check.close();
    await until(() => stopped);
    assert.equal(check.check.state, "pending");
  });
});

it("engine events reach every subscriber", () => {
  const events = createEngineEvents();
  const received: string[] = [];
  events.subscribe({ workerLost: (kind) => received.push(`a ${kind}`) });
  events.subscribe({
    workerLost: (kind) => received.push(`b ${kind}`),
    transcribed: () => received.push("b transcribed"),
  });
  events.workerLost("piper");
  events.transcribed({ audioSeconds: 1, seconds: 1 });
  assert.deepEqual(received, ["a piper", "b piper", "b transcribed"]);
});

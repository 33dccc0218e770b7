import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import type { Engine, SpeechWindow } from "../engines/engine.ts";
import { loadEngine } from "../engines/load.ts";
import { exitWithParent } from "../lib/child-process.ts";
import { collectGarbage } from "../lib/collect-garbage.ts";
import { errorMessage } from "../lib/errors.ts";
import { monotonicTime } from "../lib/tracing.ts";
import { busyTime, startCpuClock } from "./busy-time.ts";
import type { FromWorker, SpeechJob, ToWorker } from "./messages.ts";
import { nextStream } from "./next-stream.ts";
import type { WorkerSpec } from "./pool.ts";

/** The worker process of a synthesis engine: many streams, one window at a time. */

interface Stream {
  readonly id: number;
  readonly windows: AsyncIterator<SpeechWindow>;
  readonly abort: AbortController;
  credit: number;
  emptyAt: number;
  isNew: boolean;
  started: boolean;
}

const streams = new Map<number, Stream>();
let engine: Engine | undefined;
let working = false;
let cores = 1;
/** The mean time of a stream's first window; that of a short text before there was any. */
let startMs = 0;

process.on("message", (message: ToWorker<WorkerSpec, SpeechJob>) => {
  switch (message.type) {
    case "load":
      void load(message.spec);
      break;
    case "start":
      start(message.id, message.job, message.credit);
      break;
    case "credit": {
      const stream = streams.get(message.id);
      if (stream) stream.credit++;
      break;
    }
    case "cancel":
      streams.get(message.id)?.abort.abort();
      streams.delete(message.id);
      break;
    case "ping":
      send({ type: "alive" });
      break;
  }
  void work();
});
exitWithParent();

function send(message: FromWorker<SpeechWindow, number>): void {
  // A parent that ends meanwhile is no fault of the worker: `exitWithParent` ends it too.
  if (process.connected) process.send?.(message, () => {});
}

async function load(spec: WorkerSpec): Promise<void> {
  try {
    cores = spec.cores;
    engine = await loadEngine(spec);
    await warmUp(engine);
    // The files of the models, about 100 MB: with a small heap they would stay for many requests.
    collectGarbage();
    send({ type: "ready", about: engine.sampleRate });
  } catch (error) {
    send({ type: "unloadable", message: errorMessage(error) });
  }
}

/** The first run of a network allocates memory and plans, and the second one still takes twice as long as all others. */
const WARM_UPS = 2;

/** No request should wait for what only the first runs have to do. */
async function warmUp(loaded: Engine): Promise<void> {
  const words = ["hello", "to", "each", "new", "listener"].map((text) => ({ text, from: 0, to: 5, after: "" }));
  const chunk = {
    words,
    from: 0,
    to: 5,
    text: "hello",
    speaker: 0,
    language: "en-us",
    boundary: "sentence",
    pauseAfter: 0,
  } as const;
  const voice = { language: "en-us", embedding: loaded.warmUpVoice };
  const options = { speed: 1, temperature: 0, seed: 0 };
  const { signal } = new AbortController();
  for (let run = 0; run < WARM_UPS; run++) {
    const from = performance.now();
    for await (const _ of loaded.synthesize(chunk, voice, options, signal));
    startMs = performance.now() - from;
  }
}

function start(id: number, job: SpeechJob, credit: number): void {
  if (!engine) {
    send({ type: "error", id, message: "the engine is not loaded" });
    return;
  }
  const abort = new AbortController();
  const windows = engine.synthesize(job.chunk, job.voice, job.options, abort.signal)[Symbol.asyncIterator]();
  const emptyAt = performance.now() + job.ahead * 1000;
  streams.set(id, { id, windows, abort, credit, emptyAt, isNew: job.first === true, started: false });
}

/** How many first windows their mean time follows. */
const MEAN_OF_STARTS = 4;

async function work(): Promise<void> {
  if (working || !engine) return;
  working = true;
  const next = () => nextStream(streams.values(), { now: performance.now(), startMs });
  for (let stream = next(); stream; stream = next()) {
    await makeWindow(stream, engine.sampleRate);
    // Inference blocks the thread: let in the messages that arrived meanwhile.
    await yieldToEventLoop();
  }
  working = false;
}

async function makeWindow(stream: Stream, sampleRate: number): Promise<void> {
  const from = monotonicTime();
  const cpuMs = startCpuClock();
  try {
    const { done, value } = await stream.windows.next();
    const to = monotonicTime();
    const work = { from, to, busyMs: busyTime(to - from, cpuMs(), cores) };
    if (!streams.has(stream.id)) return;
    if (done) {
      streams.delete(stream.id);
      send({ type: "end", id: stream.id, work });
      return;
    }
    stream.credit--;
    if (stream.isNew) startMs += (to - from - startMs) / MEAN_OF_STARTS;
    stream.isNew = false;
    // A client that had nothing left starts or resumes playback only now.
    stream.emptyAt = Math.max(stream.emptyAt, performance.now()) + audibleSeconds(stream, value, sampleRate) * 1000;
    send({ type: "part", id: stream.id, part: value, work });
  } catch (error) {
    streams.delete(stream.id);
    send({ type: "error", id: stream.id, message: errorMessage(error) });
  }
}

/** Engines start a chunk with about this much silence, which is trimmed: the client cannot play it. */
const LEADING_SILENCE_SECONDS = 0.35;

function audibleSeconds(stream: Stream, { samples }: SpeechWindow, sampleRate: number): number {
  const seconds = samples.length / sampleRate;
  if (stream.started) return seconds;
  stream.started = true;
  return Math.max(0, seconds - LEADING_SILENCE_SECONDS);
}

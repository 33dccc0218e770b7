import { setImmediate as turnOfLoop } from "node:timers/promises";
import type { Engine, SpeechWindow } from "../engines/engine.ts";
import { type EngineSpec, loadEngine } from "../engines/load.ts";
import { workClock } from "./job-report.ts";
import type { FromWorker, SpeechJob, ToWorker } from "./messages.ts";
import { nextTurn } from "./window-order.ts";

/** The worker process: one engine, many streams, one window at a time. */

interface Stream {
  readonly id: number;
  readonly windows: AsyncIterator<SpeechWindow>;
  readonly abort: AbortController;
  credit: number;
  runsDry: number;
  begun: boolean;
}

const streams = new Map<number, Stream>();
let engine: Engine | undefined;
let working = false;

process.on("message", (message: ToWorker<EngineSpec, SpeechJob>) => {
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
// Without a parent there is nobody to speak to. Ctrl-C reaches the whole process group; the parent decides what ends when.
process.on("disconnect", () => process.exit(0));
process.on("SIGINT", () => {});
process.on("SIGTERM", () => {});

function send(message: FromWorker<SpeechWindow, number>): void {
  if (process.connected) process.send?.(message);
}

async function load(spec: EngineSpec): Promise<void> {
  try {
    engine = await loadEngine(spec);
    await warmUp(engine);
    send({ type: "ready", about: engine.sampleRate });
  } catch (error) {
    send({ type: "unloadable", message: String(error instanceof Error ? error.message : error) });
  }
}

/** The first run of a network allocates and plans; no listener should wait for that. */
async function warmUp(loaded: Engine): Promise<void> {
  const word = { text: "hello", from: 0, to: 5, after: ".", phonemes: "həlˈoʊ" };
  const chunk = {
    words: [word],
    from: 0,
    to: 5,
    text: "hello",
    speaker: 0,
    boundary: "sentence",
    pauseAfter: 0,
  } as const;
  const voice = { language: "en-us", embedding: loaded.someVoice };
  const options = { speed: 1, temperature: 0, seed: 0 };
  for await (const _ of loaded.synthesize(chunk, voice, options, new AbortController().signal));
}

function start(id: number, job: SpeechJob, credit: number): void {
  if (!engine) {
    send({ type: "error", id, message: "the engine is not loaded" });
    return;
  }
  const abort = new AbortController();
  const windows = engine.synthesize(job.chunk, job.voice, job.options, abort.signal)[Symbol.asyncIterator]();
  streams.set(id, { id, windows, abort, credit, runsDry: performance.now() + job.ahead * 1000, begun: false });
}

async function work(): Promise<void> {
  if (working || !engine) return;
  working = true;
  for (let stream = nextTurn(streams.values()); stream; stream = nextTurn(streams.values())) {
    await step(stream, engine.sampleRate);
    // Inference holds the thread: let the messages in that arrived meanwhile.
    await turnOfLoop();
  }
  working = false;
}

async function step(stream: Stream, sampleRate: number): Promise<void> {
  const from = workClock();
  try {
    const { done, value } = await stream.windows.next();
    const work = { from, to: workClock() };
    if (!streams.has(stream.id)) return;
    if (done) {
      streams.delete(stream.id);
      send({ type: "end", id: stream.id, work });
      return;
    }
    stream.credit--;
    // A listener who had nothing left starts to play, or plays on, only now.
    stream.runsDry = Math.max(stream.runsDry, performance.now()) + heardSeconds(stream, value, sampleRate) * 1000;
    send({ type: "part", id: stream.id, part: value, work });
  } catch (error) {
    streams.delete(stream.id);
    send({ type: "error", id: stream.id, message: String(error instanceof Error ? error.message : error) });
  }
}

/** Engines begin a chunk with about so much silence, which is cut off: it gives the listener nothing to play. */
const HEAD_SECONDS = 0.35;

function heardSeconds(stream: Stream, { samples }: SpeechWindow, sampleRate: number): number {
  const seconds = samples.length / sampleRate;
  if (stream.begun) return seconds;
  stream.begun = true;
  return Math.max(0, seconds - HEAD_SECONDS);
}

/**
 * Plays recordings to a listener faster than they were spoken, on a clock that follows the audio: each run gives the same
 * results, whatever else the machine does. A decoding takes as long on that clock as it does on a core of a Neoverse-N1, and
 * `slower` times as long where other streams are served, too.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { ModelStore } from "@parlance/speech";
import { createAssign } from "../../packages/speech/src/recognition/assign.ts";
import { installedRecognizers } from "../../packages/speech/src/recognition/installed.ts";
import { createFrameDecoder } from "../../packages/speech/src/recognition/live/frame-decoder.ts";
import { createListener } from "../../packages/speech/src/recognition/live/listener.ts";
import type { RecognitionWorkers } from "../../packages/speech/src/recognition/recognition-pool.ts";
import { createJobRunner } from "../../packages/speech/src/recognition/run-job.ts";
import { bytesOf } from "../../packages/speech/src/testing/burst-workers.ts";
import type { KeptResults } from "./kept-results.ts";
import { CHUNK_SECONDS, collect, type Played, type RecognizedEvent, type Recorded } from "./play.ts";

/** The share of a worker that a single stream gets. */
const SHARE = 0.3;
/** What a decoding takes there, by the seconds of its audio. */
const decodingMs = (seconds: number): number => 40 + 45 * seconds;

export async function createOfflinePlayer(models: ModelStore, slower = 1, kept?: KeptResults) {
  const { engines, spec } = await installedRecognizers(models, "base", 1);
  const compute = createJobRunner(spec);
  const runJob: typeof compute = (job, signal) =>
    kept ? kept.get(job, () => compute(job, signal)) : compute(job, signal);
  return async ({ samples, sampleRate }: Recorded, language: string): Promise<Played> => {
    let clockMs = 0;
    let computing = 0;
    let held: { readonly at: number; readonly release: () => void }[] = [];
    const workers: RecognitionWorkers = {
      count: 1,
      async run(job, signal, onEnd) {
        const startedMs = clockMs;
        computing++;
        const result = await runJob(job, signal).finally(() => computing--);
        const busyMs = job.type === "transcribe" ? decodingMs(job.span.to - job.span.from) : 1;
        onEnd?.({ queuedAt: 0, work: undefined, busyMs, pid: undefined, tries: 1, outcome: "done" });
        if (job.type === "transcribe") {
          await new Promise<void>((resolve) => {
            const release = (): void => {
              signal.removeEventListener("abort", release);
              resolve();
            };
            held.push({ at: startedMs + slower * busyMs, release });
            signal.addEventListener("abort", release);
          });
          signal.throwIfAborted();
        }
        return result;
      },
    };
    const settle = async (): Promise<void> => {
      do for (let turn = 0; turn < 5; turn++) await nextTurn();
      while (computing > 0);
    };
    const listening = createListener(
      { format: { encoding: "pcm_s16le", sampleRate }, language },
      {
        workers,
        assign: createAssign(engines, undefined),
        decoder: createFrameDecoder({ encoding: "pcm_s16le", sampleRate }),
        share: () => SHARE,
        onCost: () => {},
        onEnd: () => {},
        now: () => clockMs,
      },
      new AbortController().signal,
    );
    const reading = collect(heard(listening), () => clockMs / 1000);
    const advance = async (ms: number): Promise<void> => {
      clockMs = ms;
      const due = held.filter(({ at }) => at <= clockMs);
      held = held.filter(({ at }) => at > clockMs);
      for (const { release } of due) release();
      await settle();
    };
    const chunk = Math.round(CHUNK_SECONDS * sampleRate);
    for (let at = 0; at < samples.length; at += chunk) {
      listening.push(bytesOf(samples.slice(at, at + chunk)));
      await advance(((at + chunk) / sampleRate) * 1000);
    }
    listening.end();
    const isEnded = reading.then(() => true);
    const seconds = samples.length / sampleRate;
    while (!(await Promise.race([isEnded, settle().then(() => false)]))) await advance(clockMs + 10);
    return { ...(await reading), seconds, behindSeconds: Math.max(0, clockMs / 1000 - seconds) };
  };
}

/** The events of a listener as clients get them. */
async function* heard(listening: ReturnType<typeof createListener>): AsyncGenerator<RecognizedEvent> {
  for await (const event of listening) {
    if (event.type === "speech-stopped") yield { event: "speech_stopped", time: event.at };
    if (event.type === "partial") yield { event: "partial", text: event.text, words: event.words, end: event.end };
    if (event.type === "final")
      yield { event: "segment", text: event.text, words: event.words, end: event.end, ends_turn: event.endsTurn };
  }
}

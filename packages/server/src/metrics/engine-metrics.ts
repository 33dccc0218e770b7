import type { Speech, Transcription } from "@parlance/speech";
import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { EngineEvents } from "../telemetry/engine-events.ts";
import { residentBytes } from "../telemetry/resident-bytes.ts";

export interface EngineSources {
  readonly speech: Pick<Speech, "workers" | "waiting">;
  readonly transcription: Pick<Transcription, "workers">;
  readonly events: Pick<EngineEvents, "listen">;
}

const RTF_BUCKETS = [0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 1.5, 2, 5];
const WAIT_BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** What the engines do. */
export function engineMetrics(registry: Registry, { speech, transcription, events }: EngineSources): void {
  const registers = [registry];
  const chunks = new Counter({
    name: "parlance_synthesis_chunks_total",
    help: "Chunks of text, by engine and outcome: done, failed, or left by the listener.",
    labelNames: ["engine", "outcome"],
    registers,
  });
  const audio = new Counter({
    name: "parlance_synthesis_audio_seconds_total",
    help: "Seconds of speech that were made.",
    labelNames: ["engine"],
    registers,
  });
  const rtf = new Histogram({
    name: "parlance_synthesis_real_time_factor",
    help: "Seconds that a worker computes for each second of speech, by chunk of text.",
    labelNames: ["engine"],
    buckets: RTF_BUCKETS,
    registers,
  });
  const wait = new Histogram({
    name: "parlance_queue_wait_seconds",
    help: "How long chunks of text waited for a worker.",
    labelNames: ["engine"],
    buckets: WAIT_BUCKETS,
    registers,
  });
  const restarts = new Counter({
    name: "parlance_worker_restarts_total",
    help: "Worker processes that were lost and replaced.",
    labelNames: ["engine"],
    registers,
  });
  const heard = new Counter({
    name: "parlance_transcription_audio_seconds_total",
    help: "Seconds of recordings that were listened to.",
    registers,
  });
  const heardRtf = new Histogram({
    name: "parlance_transcription_real_time_factor",
    help: "Seconds from a decoded recording to its text for each second of it, the wait for its turn included.",
    buckets: RTF_BUCKETS,
    registers,
  });
  // So that an increase from nothing is seen as one.
  for (const engine of ["kokoro", "piper", "recognition", "cloning"]) restarts.inc({ engine }, 0);

  events.listen({
    chunk({ engine, outcome, audioSeconds, busyMs, queueMs }) {
      chunks.inc({ engine, outcome });
      audio.inc({ engine }, audioSeconds);
      wait.observe({ engine }, Math.max(0, queueMs) / 1000);
      if (outcome === "done" && audioSeconds > 0) rtf.observe({ engine }, busyMs / 1000 / audioSeconds);
    },
    workerLost: (engine) => restarts.inc({ engine }),
    transcribed({ audioSeconds, seconds }) {
      heard.inc(audioSeconds);
      if (audioSeconds > 0) heardRtf.observe(seconds / audioSeconds);
    },
  });

  const workersOf = (): readonly { readonly engine: string; readonly pid: number }[] => [
    ...speech.workers(),
    ...transcription.workers().map((pid) => ({ engine: "recognition", pid })),
  ];
  new Gauge({
    name: "parlance_queue_depth",
    help: "Chunks of text of which nothing can be heard yet.",
    labelNames: ["engine"],
    registers,
    collect() {
      this.reset();
      for (const { engine, chunks } of speech.waiting()) this.set({ engine }, chunks);
    },
  });
  new Gauge({
    name: "parlance_workers",
    help: "Worker processes that can work now. Those that listen live only while there is something to listen to.",
    labelNames: ["engine"],
    registers,
    collect() {
      this.reset();
      this.set({ engine: "recognition" }, 0);
      for (const { engine } of workersOf()) this.inc({ engine });
    },
  });
  new Gauge({
    name: "parlance_workers_resident_memory_bytes",
    help: "Memory of the worker processes, where the system tells.",
    labelNames: ["engine"],
    registers,
    async collect() {
      const workers = workersOf();
      const sizes = await Promise.all(workers.map(({ pid }) => residentBytes(pid)));
      this.reset();
      for (const [at, { engine }] of workers.entries()) this.inc({ engine }, sizes[at] ?? 0);
    },
  });
}

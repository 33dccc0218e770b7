import { engineNames, type Speech, type Transcription } from "@parlance/speech";
import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { EngineEvents } from "../telemetry/engine-events.ts";
import { residentBytes } from "../telemetry/resident-bytes.ts";

export interface EngineSources {
  readonly speech: Pick<Speech, "workers" | "queued" | "capacityUsed">;
  readonly transcription: Pick<Transcription, "workers">;
  readonly events: Pick<EngineEvents, "subscribe">;
}

const RTF_BUCKETS = [0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 1.5, 2, 5];
const WAIT_BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** The metrics of the engines. */
export function engineMetrics(registry: Registry, { speech, transcription, events }: EngineSources): void {
  const registers = [registry];
  const chunks = new Counter({
    name: "parlance_synthesis_chunks_total",
    help: "Chunks of text, by engine and outcome: done, failed, or left (aborted by the client).",
    labelNames: ["engine", "outcome"],
    registers,
  });
  const audio = new Counter({
    name: "parlance_synthesis_audio_seconds_total",
    help: "Seconds of speech that were synthesized.",
    labelNames: ["engine"],
    registers,
  });
  const rtf = new Histogram({
    name: "parlance_synthesis_real_time_factor",
    help: "Compute seconds of a worker per second of speech, by chunk of text.",
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
  const transcribedAudio = new Counter({
    name: "parlance_transcription_audio_seconds_total",
    help: "Seconds of recordings that were transcribed.",
    registers,
  });
  const transcriptionRtf = new Histogram({
    name: "parlance_transcription_real_time_factor",
    help: "Seconds from a decoded recording to its transcript per second of audio, including the time in the queue.",
    buckets: RTF_BUCKETS,
    registers,
  });
  // Starts at 0, so that the first increase is visible.
  for (const engine of [...engineNames, "recognition", "cloning"]) restarts.inc({ engine }, 0);

  events.subscribe({
    chunk({ engine, outcome, audioSeconds, busyMs, queueMs }) {
      chunks.inc({ engine, outcome });
      audio.inc({ engine }, audioSeconds);
      wait.observe({ engine }, Math.max(0, queueMs) / 1000);
      if (outcome === "done" && audioSeconds > 0) rtf.observe({ engine }, busyMs / 1000 / audioSeconds);
    },
    workerLost: (engine) => restarts.inc({ engine }),
    transcribed({ audioSeconds, seconds }) {
      transcribedAudio.inc(audioSeconds);
      if (audioSeconds > 0) transcriptionRtf.observe(seconds / audioSeconds);
    },
  });

  const workersOf = (): readonly { readonly engine: string; readonly pid: number }[] => [
    ...speech.workers(),
    ...transcription.workers().map((pid) => ({ engine: "recognition", pid })),
  ];
  new Gauge({
    name: "parlance_queue_depth",
    help: "Chunks of text without audio yet.",
    labelNames: ["engine"],
    registers,
    collect() {
      this.reset();
      for (const { engine, chunks } of speech.queued()) this.set({ engine }, chunks);
    },
  });
  new Gauge({
    name: "parlance_capacity_used_ratio",
    help: "Active synthesis over what the workers can do. At 1, no further stream is accepted. Every node of a cluster reports that of the cluster.",
    registers,
    collect() {
      this.set(speech.capacityUsed());
    },
  });
  new Gauge({
    name: "parlance_workers",
    help: "Worker processes that are ready. Recognition workers run only while there are recordings.",
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
    help: "Resident memory of the worker processes (Linux only).",
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

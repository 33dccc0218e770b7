/** A server process that reports its event loop delay, memory and CPU time. */
import { readFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { readConfig, type ServerOptions, startServer } from "@parlance/server";
import { createBurstTranscription } from "../packages/server/src/testing/burst-transcription.ts";
import { instantCloning } from "../packages/server/src/testing/instant-cloning.ts";
import { createToneSpeech } from "../packages/server/src/testing/tone-speech.ts";

import { watchBlockedTime } from "./blocked-time.ts";

type BenchSpeech = "kokoro" | "piper" | "tone" | "all";
const measured = (process.env.BENCH_SPEECH ?? "kokoro") as BenchSpeech;
const { config } = readConfig(process.env);
const server = await startServer(optionsFor(measured));
const { speech, transcription } = server;
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
const blocked = watchBlockedTime();

process.on("message", async (command: "reset" | "report" | "close") => {
  if (command === "reset") delay.reset();
  if (command === "close") {
    await server.close();
    process.exit(0);
  }
  const blockedMs = blocked.maxMs;
  globalThis.gc?.();
  blocked.reset();
  process.send?.({
    blockedMs,
    eventLoopP99Ms: delay.percentile(99) / 1e6,
    eventLoopMaxMs: delay.max / 1e6,
    rssMb: residentMb("self"),
    heapMb: usedHeap() / 2 ** 20,
    cpuSeconds: cpuSeconds(),
    workers: [...speech.workers().map(({ pid }) => pid), ...transcription.workers()],
    workersRssMb: speech.workers().reduce((sum, worker) => sum + residentMb(String(worker.pid)), 0),
  });
});
process.on("disconnect", () => process.exit(0));
process.send?.({ url: server.url, key: server.bootstrap.freshKey });

/** Everything that a server has, or only the engine that is measured. */
function optionsFor(name: BenchSpeech): ServerOptions {
  if (name === "all") return { config };
  const transcription = createBurstTranscription();
  const cloning = process.env.BENCH_CLONING === "instant" ? { cloning: instantCloning } : {};
  if (name === "tone") return { config, speech: createToneSpeech(), transcription, ...cloning };
  // One engine is measured without refusals; refusals are measured with all of them.
  return { config: { ...config, keepAhead: "off", cloning: "off" }, transcription, engines: [name] };
}

/** Bytes in use, without what the process holds in reserve. */
function usedHeap(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** CPU time of this process and of its current workers. */
function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  const ofWorker = (pid: number): number => {
    const [, fields = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
    const [userTicks, systemTicks] = fields.split(" ").slice(11, 13).map(Number);
    return ((userTicks ?? 0) + (systemTicks ?? 0)) / 100;
  };
  return (user + system) / 1e6 + speech.workers().reduce((sum, { pid }) => sum + ofWorker(pid), 0);
}

function residentMb(pid: string): number {
  return Number(readFileSync(`/proc/${pid}/status`, "utf8").match(/VmRSS:\s+(\d+)/)?.[1] ?? 0) / 1024;
}

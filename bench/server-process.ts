/** A server in a process of its own, which tells how its event loop fares. */
import { readFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { VOICE_LIMITS } from "@parlance/protocol";
import { createLog, readConfig, startServer } from "@parlance/server";
import { createCloning, createModelStore, createSpeech, createTranscription } from "@parlance/speech";
import { createBurstTranscription } from "../packages/server/src/testing/burst-transcription.ts";
import { createToneSpeech } from "../packages/server/src/testing/tone-speech.ts";

const { config } = readConfig(process.env);
/** All that a real server has, or only what is measured. */
const isWhole = process.env.BENCH_SPEECH === "all";
const models = createModelStore({ directory: config.models });
const speech =
  process.env.BENCH_SPEECH === "tone"
    ? createToneSpeech()
    : await createSpeech({
        models,
        // What one engine can do is measured without anybody being refused; who is refused when, with all of them.
        keepAhead: isWhole,
        ...(isWhole ? {} : { engines: [process.env.BENCH_SPEECH === "piper" ? "piper" : "kokoro"] }),
        kokoroQuality: config.kokoroQuality,
      });
const transcription = isWhole ? await createTranscription({ models }) : createBurstTranscription();
const cloning = isWhole
  ? await createCloning({
      models,
      leastSeconds: VOICE_LIMITS.minSeconds,
      mostSeconds: VOICE_LIMITS.maxSeconds,
    })
  : undefined;
const server = await startServer({ config, speech, transcription, cloning, log: createLog(config.log) });
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();

process.on("message", async (question: "reset" | "report" | "close") => {
  if (question === "reset") delay.reset();
  if (question === "close") {
    await server.close();
    await Promise.all([speech.close(), transcription.close(), cloning?.close()]);
    process.exit(0);
  }
  globalThis.gc?.();
  process.send?.({
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

/** What is in use, whatever the process still keeps for later. */
function usedHeap(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Of this process and its workers, as far as they are there still. */
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

/** A server in a process of its own, which tells how its event loop fares. */
import { readFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { createLog, readConfig, startServer } from "@parlance/server";
import { createModelStore, createSpeech } from "@parlance/speech";
import { createBurstTranscription } from "../packages/server/src/testing/burst-transcription.ts";
import { createToneSpeech } from "../packages/server/src/testing/tone-speech.ts";

const { config } = readConfig(process.env);
const speech =
  process.env.BENCH_SPEECH === "tone"
    ? createToneSpeech()
    : await createSpeech({
        models: createModelStore({ directory: config.models }),
        engines: [process.env.BENCH_SPEECH === "piper" ? "piper" : "kokoro"],
        kokoroQuality: config.kokoroQuality,
      });
const server = await startServer({
  config,
  speech,
  transcription: createBurstTranscription(),
  log: createLog("silent"),
});
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();

process.on("message", async (question: "reset" | "report" | "close") => {
  if (question === "reset") delay.reset();
  if (question === "close") {
    await server.close();
    await speech.close();
    process.exit(0);
  }
  globalThis.gc?.();
  process.send?.({
    eventLoopP99Ms: delay.percentile(99) / 1e6,
    eventLoopMaxMs: delay.max / 1e6,
    rssMb: residentMb("self"),
    heapMb: usedHeap() / 2 ** 20,
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

function residentMb(pid: string): number {
  return Number(readFileSync(`/proc/${pid}/status`, "utf8").match(/VmRSS:\s+(\d+)/)?.[1] ?? 0) / 1024;
}

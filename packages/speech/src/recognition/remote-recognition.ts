import { readPcm } from "../audio/decode/index.ts";
import { type RecognizerName, recognizerNames } from "../engines/registry.ts";
import { sampleRate } from "../engines/silero/chunks.ts";
import type { Cluster } from "../pool/remote/cluster.ts";
import type { NoMachineOptions } from "../pool/remote/remote-pool.ts";
import type { WhenBusy } from "../pool/remote/remote-task.ts";
import { runSingle } from "../pool/remote/run-single.ts";
import type { RecognitionJob } from "./jobs.ts";
import { withLead } from "./lead.ts";
import type { RecognitionPool } from "./recognition-pool.ts";

export const RECOGNITION_KIND = "recognition";

/** The recognition workers of all machines of a cluster. Each job carries its own samples. */
export function createRemoteRecognition(cluster: Cluster, options: NoMachineOptions = {}): RecognitionPool {
  return {
    use: (_, work) =>
      work({
        count: Math.max(1, cluster.workers(RECOGNITION_KIND)),
        async run(job, signal, onEnd) {
          const run = { noMachineMs: options.noMachineMs?.(), whenBusy: whenBusy(job) };
          return runSingle(cluster, RECOGNITION_KIND, await withSamples(job), run, signal, onEnd);
        },
      }),
    pids: () => [],
    close: async () => {},
  };
}

/** The recognizers that machines have offered so far, the preferred one first. */
export function remoteRecognizers(cluster: Cluster): readonly RecognizerName[] {
  const offered = cluster.info(RECOGNITION_KIND)?.recognizers ?? [];
  return recognizerNames.filter((name) => offered.includes(name));
}

/** A live stream was accepted earlier: its jobs are never refused. */
function whenBusy(job: RecognitionJob): WhenBusy {
  return job.type === "follow-speech" || ("live" in job && job.live === true) ? "force" : "wait";
}

/** Samples instead of the path of a file. */
async function withSamples(job: RecognitionJob): Promise<RecognitionJob> {
  if (!("audio" in job) || !("path" in job.audio)) return job;
  const { from, to } = job.type === "detect-speech" ? withLead(job.region) : job.span;
  const first = Math.round(from * sampleRate);
  const samples = await readPcm(job.audio.path, first, Math.round(to * sampleRate));
  return { ...job, audio: { samples, from: first / sampleRate } };
}

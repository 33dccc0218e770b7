import { readPcm } from "../../audio/decode/index.ts";
import { siblingModule } from "../../lib/child-process.ts";
import { createOnDemandPool } from "../../pool/on-demand-pool.ts";
import type { Cluster } from "../../pool/remote/cluster.ts";
import { KOKORO_CLONES } from "../../pool/remote/frames.ts";
import { runSingle } from "../../pool/remote/run-single.ts";
import type { AnalysisJob, AnalysisResult, AnalysisSpec } from "./analysis.ts";
import { ANALYSIS_RATE } from "./extract-speech.ts";

export const ANALYSIS_KIND = "analysis";

/** The worker process that cloning uses. */
export interface CloningPools {
  analyze(spec: AnalysisSpec, job: AnalysisJob, signal: AbortSignal): Promise<AnalysisResult>;
  close(): Promise<void>;
}

/** A process on this machine. */
export function createCloningPools(onWorkerLost: ((reason: string) => void) | undefined): CloningPools {
  const analysis = createOnDemandPool<AnalysisSpec, AnalysisJob, AnalysisResult>({
    entry: siblingModule("./analysis-worker", import.meta.url),
    name: "the voice analysis",
    workers: 1,
    onWorkerLost,
  });
  return {
    analyze: (spec, job, signal) => analysis.use(spec, (run) => run(job, signal)),
    close: analysis.close,
  };
}

/** Those of the machines of a cluster, which load models of their own. Each recording travels with its job. */
export function createRemoteCloningPools(cluster: Cluster, maxSeconds: number): CloningPools {
  return {
    async analyze(_, job, signal) {
      const sent =
        "path" in job ? { ...job, path: "", samples: await readPcm(job.path, 0, ANALYSIS_RATE * maxSeconds) } : job;
      return runSingle(cluster, ANALYSIS_KIND, sent, { whenBusy: "wait", version: KOKORO_CLONES }, signal);
    },
    close: async () => {},
  };
}

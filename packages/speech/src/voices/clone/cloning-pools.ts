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
  /** Starts the process ahead of a job. It ends after the same idle time. */
  prepare(spec: AnalysisSpec): void;
  analyze(spec: AnalysisSpec, job: AnalysisJob, signal: AbortSignal): Promise<AnalysisResult>;
  /** The processes that are ready, on this machine. */
  pids(): readonly number[];
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
    // Without a job, the process loads its models. Where it cannot be started, the job that follows says so.
    prepare: (spec) => void analysis.use(spec, async () => {}).catch(() => {}),
    analyze: (spec, job, signal) => analysis.use(spec, (run) => run(job, signal)),
    pids: analysis.pids,
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
    prepare: () => {},
    pids: () => [],
    close: async () => {},
  };
}

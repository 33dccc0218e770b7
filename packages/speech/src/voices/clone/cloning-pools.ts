import { readPcm } from "../../audio/decode/index.ts";
import { SpeechError } from "../../errors.ts";
import { siblingModule } from "../../lib/child-process.ts";
import { createOnDemandPool } from "../../pool/on-demand-pool.ts";
import type { Cluster } from "../../pool/remote/cluster.ts";
import { runSingle } from "../../pool/remote/run-single.ts";
import type { AnalysisJob, AnalysisSpec, RecordingAnalysis } from "./analysis.ts";
import { ANALYSIS_RATE } from "./extract-speech.ts";
import type { RefinedVoice, RefinementJob, RefinementSpec } from "./refinement.ts";

export const ANALYSIS_KIND = "analysis";
export const REFINEMENT_KIND = "refinement";

const REFINEMENT_IDLE_MS = 10_000;

/** The worker processes that cloning uses. */
export interface CloningPools {
  analyze(spec: AnalysisSpec, job: AnalysisJob, signal: AbortSignal): Promise<RecordingAnalysis | Float32Array>;
  /** The models are undefined where machines have their own. */
  refine(spec: RefinementSpec | undefined, job: RefinementJob, signal: AbortSignal): Promise<RefinedVoice>;
  close(): Promise<void>;
}

/** One process each on this machine. */
export function createCloningPools(onWorkerLost: ((reason: string) => void) | undefined): CloningPools {
  const analysis = createOnDemandPool<AnalysisSpec, AnalysisJob, RecordingAnalysis | Float32Array>({
    entry: siblingModule("./analysis-worker", import.meta.url),
    name: "the voice analysis",
    workers: 1,
    onWorkerLost,
  });
  const refinement = createOnDemandPool<RefinementSpec, RefinementJob, RefinedVoice>({
    entry: siblingModule("./refinement-worker", import.meta.url),
    name: "the refinement",
    workers: 1,
    idleMs: REFINEMENT_IDLE_MS,
    onWorkerLost,
  });
  return {
    analyze: (spec, job, signal) => analysis.use(spec, (run) => run(job, signal)),
    async refine(spec, job, signal) {
      if (!spec) throw new SpeechError("failed", "the models for refinement are not installed");
      return refinement.use(spec, (run) => run(job, signal));
    },
    async close() {
      await Promise.all([analysis.close(), refinement.close()]);
    },
  };
}

/** Those of the machines of a cluster, which load models of their own. Each recording travels with its job. */
export function createRemoteCloningPools(cluster: Cluster, maxSeconds: number): CloningPools {
  return {
    async analyze(_, job, signal) {
      const sent =
        "path" in job ? { ...job, path: "", samples: await readPcm(job.path, 0, ANALYSIS_RATE * maxSeconds) } : job;
      return runSingle(cluster, ANALYSIS_KIND, sent, { whenBusy: "wait" }, signal);
    },
    refine: (_, job, signal) => runSingle(cluster, REFINEMENT_KIND, job, { whenBusy: "wait" }, signal),
    close: async () => {},
  };
}

import { sileroVad } from "../engines/silero/models.ts";
import type { ModelStore } from "../models/index.ts";
import type { Service } from "../pool/remote/service.ts";
import type { AnalysisJob } from "../voices/clone/analysis.ts";
import { REQUIRED_MODELS } from "../voices/clone/cloning.ts";
import { ANALYSIS_KIND, createCloningPools } from "../voices/clone/cloning-pools.ts";
import { createRefinementPool } from "../voices/clone/refine/refinement-pool.ts";
import { refinementSpec } from "../voices/clone/refine/refinement-spec.ts";
import { REFINEMENT_KIND } from "../voices/clone/refine/remote-refinement.ts";
import { voiceEncoderVersion } from "../voices/clone/voice-encoder-version.ts";
import { xvectorFiles } from "../voices/clone/xvector/files.ts";
import { refinementService } from "./refinement-service.ts";
import { singleService } from "./services.ts";

export interface CloningServices {
  readonly services: ReadonlyMap<string, Service>;
  refresh(): Promise<void>;
  /** Gives up the voice that is being refined: no client waits for it, and another machine starts again. */
  endRefinement(): Promise<void>;
  close(): Promise<void>;
}

export interface CloningServicesOptions {
  /** The share of one core for the refinement of voices; 1 by default. 0: none is refined here. */
  readonly refinementShare?: number | undefined;
  readonly onWorkerLost?: ((part: "cloning", reason: string) => void) | undefined;
  /** Where recordings lie meanwhile; the system's temporary folder by default. */
  readonly workFolder?: string | undefined;
}

/** The work of voice making, with the models of this machine. */
export async function createCloningServices(
  models: ModelStore,
  options: CloningServicesOptions = {},
): Promise<CloningServices> {
  const onWorkerLost = (reason: string): void => options.onWorkerLost?.("cloning", reason);
  const pools = createCloningPools(onWorkerLost);
  const refinements = createRefinementPool({ onWorkerLost });
  const find = async (): Promise<boolean> => {
    const installed = await Promise.all(REQUIRED_MODELS.map((id) => models.has(id)));
    return !installed.includes(false);
  };
  let isInstalled = await find();
  const { refinementShare: share = 1, workFolder } = options;
  const services = new Map([
    [
      ANALYSIS_KIND,
      singleService(
        () => isInstalled,
        (job, signal) => {
          const analysis = { silero: models.path(sileroVad.id, "model.onnx"), xvector: xvectorFiles(models) };
          return pools.analyze(analysis, job as AnalysisJob, signal);
        },
      ),
    ],
    [
      REFINEMENT_KIND,
      refinementService({
        isInstalled: () => isInstalled && share > 0,
        share,
        encoderVersion: voiceEncoderVersion,
        refine: async (job, signal) => refinements.refine(await refinementSpec(models), job, signal),
        workFolder,
      }),
    ],
  ]);
  return {
    services,
    async refresh() {
      isInstalled = await find();
    },
    endRefinement: refinements.close,
    async close() {
      await Promise.all([pools.close(), refinements.close()]);
    },
  };
}

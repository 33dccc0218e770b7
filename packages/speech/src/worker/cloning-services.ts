import { sileroVad } from "../engines/silero/models.ts";
import type { ModelStore } from "../models/index.ts";
import type { Service } from "../pool/remote/service.ts";
import type { AnalysisJob } from "../voices/clone/analysis.ts";
import { REQUIRED_MODELS } from "../voices/clone/cloning.ts";
import { ANALYSIS_KIND, createCloningPools } from "../voices/clone/cloning-pools.ts";
import { xvectorFiles } from "../voices/clone/xvector/files.ts";
import { singleService } from "./services.ts";

export interface CloningServices {
  readonly services: ReadonlyMap<string, Service>;
  refresh(): Promise<void>;
  close(): Promise<void>;
}

/** The work of voice making, with the models of this machine. */
export async function createCloningServices(
  models: ModelStore,
  onWorkerLost?: (part: "cloning", reason: string) => void,
): Promise<CloningServices> {
  const pools = createCloningPools((reason) => onWorkerLost?.("cloning", reason));
  const find = async (): Promise<boolean> => {
    const installed = await Promise.all(REQUIRED_MODELS.map((id) => models.has(id)));
    return !installed.includes(false);
  };
  let isInstalled = await find();
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
  ]);
  return {
    services,
    async refresh() {
      isInstalled = await find();
    },
    close: pools.close,
  };
}

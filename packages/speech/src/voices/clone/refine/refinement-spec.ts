import { kokoro } from "../../../engines/kokoro/descriptor.ts";
import type { ModelStore } from "../../../models/index.ts";
import { xvectorFiles } from "../xvector/files.ts";
import type { RefinementSpec } from "./refinement.ts";

/** The files that the process loads. Cloned voices speak through the student in each quality, so those of "fast" are enough. */
export async function refinementSpec(models: ModelStore): Promise<RefinementSpec> {
  return { kokoro: await kokoro.locate(models, "fast"), xvector: xvectorFiles(models) };
}

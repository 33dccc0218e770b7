import type { ModelStore } from "../../../models/index.ts";
import type { XVectorFiles } from "./xvector.ts";

export function xvectorFiles(models: ModelStore): XVectorFiles {
  const file = (name: string) => models.path("xvector", name);
  return { network: file("final.ext.raw"), mean: file("mean.vec"), transform: file("transform.mat") };
}

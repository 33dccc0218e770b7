import type { ModelStore } from "../../../models/index.ts";
import { xvector } from "./models.ts";
import type { XVectorFiles } from "./xvector.ts";

export function xvectorFiles(models: ModelStore): XVectorFiles {
  const file = (name: string) => models.path(xvector.id, name);
  return { network: file("final.ext.raw"), mean: file("mean.vec"), transform: file("transform.mat") };
}

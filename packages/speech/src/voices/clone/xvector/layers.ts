import { readFile } from "node:fs/promises";
import { type Component, type Matrix, readComponents, readMatrixFile } from "./kaldi.ts";

export interface XVectorFiles {
  /** The network, in Kaldi's nnet3 format. */
  readonly network: string;
  readonly mean: string;
  readonly transform: string;
}

/** The layers of the network. */
export interface XVectorLayers {
  /** All of them, by name. */
  readonly components: ReadonlyMap<string, Component>;
  /** The layer above the pooling. */
  readonly linear: Matrix;
  readonly bias: Float32Array;
  /** The mean vector, which is subtracted, and the transform after that. */
  readonly mean: Float32Array;
  readonly transform: Matrix;
}

/** The least variance of a channel in the pooling. */
export const MIN_VARIANCE = 1e-10;

export async function readLayers(files: XVectorFiles): Promise<XVectorLayers> {
  const components = readComponents(await readFile(files.network));
  const last = components.get("tdnn6.affine");
  if (!last) throw new Error("the network has no layer tdnn6");
  return {
    components,
    linear: last.matrix("LinearParams"),
    bias: last.matrix("BiasParams").values,
    mean: readMatrixFile(await readFile(files.mean)).values,
    transform: readMatrixFile(await readFile(files.transform)),
  };
}

/**
 * Makes packages/speech/assets/piper-speakers/linear.bin from xvectors.bin beside it: the linear map from speaker features
 * (x-vector and pitch) to Piper's speaker embedding, by ridge regression over Piper's 904 speakers. 32-bit floats: the means of
 * the inputs (129) and of the outputs (512), then the map (129 × 512).
 *
 *     node --conditions=source --import tsx training/piper-speakers/fit.ts
 */
import { readFile, writeFile } from "node:fs/promises";
import { parseGraph } from "../../packages/speech/src/engines/onnx/graph.ts";
import { SPEAKER_SIZE } from "../../packages/speech/src/engines/piper/stages.ts";
import { cloningEngine } from "../../packages/speech/src/engines/registry.ts";
import { testModels } from "../../packages/speech/src/testing/models.ts";
import { FEATURES, featuresOf } from "../../packages/speech/src/voices/clone/linear-map.ts";
import { readStockSpeakers } from "../../packages/speech/src/voices/clone/stock-speakers.ts";

/** The regularization, relative to the variance of a feature. */
const RIDGE = 0.1;

type Table = readonly Float64Array[];

function meanOf(rows: Table): Float64Array {
  return Float64Array.from(
    { length: rows[0]?.length ?? 0 },
    (_, i) => rows.reduce((sum, row) => sum + (row[i] ?? 0), 0) / rows.length,
  );
}

function product(a: Table, b: Table): Float64Array[] {
  const width = b[0]?.length ?? 0;
  const result = Array.from({ length: a[0]?.length ?? 0 }, () => new Float64Array(width));
  a.forEach((row, index) => {
    const other = b[index];
    result.forEach((sums, i) => {
      for (let j = 0; j < width; j++) sums[j] = (sums[j] ?? 0) + (row[i] ?? 0) * (other?.[j] ?? 0);
    });
  });
  return result;
}

/** Gaussian elimination, in place; the matrix is symmetric and positive definite, so no pivoting is needed. */
function solve(matrix: Float64Array[], right: Float64Array[]): Float64Array[] {
  for (const [p, pivotRow] of matrix.entries()) {
    const pivot = pivotRow[p] ?? 1;
    for (const [i, row] of matrix.entries()) {
      if (i === p) continue;
      const factor = (row[p] ?? 0) / pivot;
      for (let j = p; j < row.length; j++) row[j] = (row[j] ?? 0) - factor * (pivotRow[j] ?? 0);
      const [target, source] = [right[i], right[p]];
      if (target && source) right[i] = target.map((value, j) => value - factor * (source[j] ?? 0));
    }
  }
  return right.map((row, i) => row.map((value) => value / (matrix[i]?.[i] ?? 1)));
}

const models = await testModels("piper-libritts");
const table = parseGraph(await readFile(models.path("piper-libritts", "model.onnx"))).weights("emb_g.weight");
const speakers = (await readStockSpeakers()).filter(({ pitch }) => pitch !== undefined);
const inputs = speakers.map((speaker) => Float64Array.from(featuresOf(speaker), (value) => value ?? 0));
const outputs = speakers.map(({ name }) =>
  Float64Array.from(table.subarray(Number(name) * SPEAKER_SIZE, (Number(name) + 1) * SPEAKER_SIZE)),
);
const [inputMean, outputMean] = [meanOf(inputs), meanOf(outputs)];
const centredIn = inputs.map((row) => row.map((value, i) => value - (inputMean[i] ?? 0)));
const centredOut = outputs.map((row) => row.map((value, i) => value - (outputMean[i] ?? 0)));
const covariance = product(centredIn, centredIn);
for (const [i, row] of covariance.entries()) row[i] = (row[i] ?? 0) + (RIDGE * speakers.length) / FEATURES;
const map = solve(covariance, product(centredIn, centredOut));

const numbers = Float32Array.from([...inputMean, ...outputMean, ...map.flatMap((row) => [...row])]);
await writeFile(cloningEngine.cloning.linearMap, new Uint8Array(numbers.buffer));
console.log(`${speakers.length} speakers`);

/**
 * Makes two files in packages/speech/assets/piper-speakers/, of 32-bit floats:
 *
 * linear.bin, from xvectors.bin beside it: the linear map from what a speaker sounds like (x-vector and pitch) to the vector
 * by which Piper speaks as he does. Ridge regression over the 904 speakers that Piper was taught. The means of what goes in
 * (129) and of what comes out (512), then the map (129 × 512).
 *
 * axes.bin: the 64 first principal components of the 904 vectors, each times the deviation of the speakers along it.
 *
 *     node --conditions=source --import tsx training/piper-speakers/fit.ts
 */
import { readFile, writeFile } from "node:fs/promises";
import { parseGraph } from "../../packages/speech/src/engines/onnx/graph.ts";
import { SPEAKER_SIZE } from "../../packages/speech/src/engines/piper/stages.ts";
import { testModels } from "../../packages/speech/src/testing/models.ts";
import { FEATURES, featuresOf, linearFile } from "../../packages/speech/src/voices/clone/linear-map.ts";
import { axesFile } from "../../packages/speech/src/voices/clone/speaker-space.ts";
import { readStockSpeakers } from "../../packages/speech/src/voices/clone/stock-speakers.ts";

/** How much the map is held back, against the variance of a feature. */
const RIDGE = 0.1;
const AXES = 64;
const ROUNDS = 40;

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

/** Gauss's way, in place; the matrix is symmetric and positive, so no row has to be exchanged. */
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

/** The first principal components, by orthogonal iteration. */
function principalAxes(covariance: Table, count: number): Float64Array[] {
  let axes = orthonormal(
    Array.from({ length: count }, (_, axis) =>
      Float64Array.from(covariance, (_row, i) => Math.sin((axis + 1) * (i + 1) * 0.7391)),
    ),
  );
  const turned = (axis: Float64Array) => Float64Array.from(covariance, (row) => dot(row, axis));
  for (let round = 0; round < ROUNDS; round++) axes = orthonormal(axes.map(turned));
  return axes.map((axis) => {
    const deviation = Math.sqrt(dot(axis, turned(axis)));
    return axis.map((value) => value * deviation);
  });
}

function orthonormal(vectors: Table): Float64Array[] {
  const result: Float64Array[] = [];
  for (const vector of vectors) {
    let rest = Float64Array.from(vector);
    for (const other of result) {
      const along = dot(rest, other);
      rest = rest.map((value, i) => value - along * (other[i] ?? 0));
    }
    const length = Math.sqrt(dot(rest, rest));
    result.push(rest.map((value) => value / length));
  }
  return result;
}

function dot(a: Float64Array, b: Float64Array): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
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
await writeFile(linearFile, new Uint8Array(numbers.buffer));
const spread = product(centredOut, centredOut).map((row) => row.map((value) => value / speakers.length));
const axes = Float32Array.from(principalAxes(spread, AXES).flatMap((axis) => [...axis]));
await writeFile(axesFile, new Uint8Array(axes.buffer));
console.log(`${speakers.length} speakers`);

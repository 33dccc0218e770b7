/**
 * Makes packages/speech/assets/piper-speakers/xvectors.bin: the features of each of Piper's 904 speakers. For each, 16-bit
 * integers: the mean of the x-vectors of some sentences (128, 32767 is 1), the median pitch in tenths of a Hz (0 where it is
 * unknown), and the duration of the last sentence in milliseconds.
 *
 *     node --conditions=source --import tsx training/piper-speakers/make.ts
 *
 * Takes half an hour on one core. Progress is stored in the system's temporary folder, so it can be interrupted and started
 * again. The result is written after each sentence that all speakers have spoken.
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { engineSpec, loadEngine } from "../../packages/speech/src/engines/load.ts";
import { testModels } from "../../packages/speech/src/testing/models.ts";
import { createTrials, TRIAL_SENTENCES } from "../../packages/speech/src/voices/clone/trials.ts";
import { xvectorFiles } from "../../packages/speech/src/voices/clone/xvector/files.ts";
import { loadXVector } from "../../packages/speech/src/voices/clone/xvector/xvector.ts";

const SPEAKERS = 904;
const SIZE = 128;
const SCALE = 32767;
const sentences = TRIAL_SENTENCES.slice(0, 2);

const target = fileURLToPath(new URL("../../packages/speech/assets/piper-speakers/xvectors.bin", import.meta.url));
const progress = join(tmpdir(), "parlance-piper-speakers.jsonl");

setPriority(10);
const models = await testModels("piper-libritts", "xvector");
const spec = await engineSpec("piper", models, 1);
if (!spec) throw new Error("Piper is not installed");
const engine = await loadEngine(spec);
const xvector = await loadXVector(xvectorFiles(models));
const trials = createTrials(engine, xvector);

const sums = Array.from({ length: SPEAKERS }, () => new Float64Array(SIZE));
const measurements = Array.from({ length: SPEAKERS }, () => [0, 0]);
const done = new Set<string>();
function add(sentence: number, row: number, [pitch = 0, milliseconds = 0, ...vector]: readonly number[]): void {
  done.add(`${sentence} ${row}`);
  measurements[row] = [pitch, milliseconds];
  const sum = sums[row];
  vector.forEach((value, i) => {
    if (sum) sum[i] = (sum[i] ?? 0) + value;
  });
}
for (const line of existsSync(progress) ? readFileSync(progress, "utf8").split("\n") : []) {
  if (!line.endsWith("]")) continue;
  const [sentence = -1, row = -1, ...values] = JSON.parse(line) as number[];
  add(sentence, row, values);
}

for (const [sentence, text] of sentences.entries()) {
  for (let row = 0; row < SPEAKERS; row++) {
    if (done.has(`${sentence} ${row}`)) continue;
    const { vector, pitch = 0, seconds } = await trials.run(String(row), text);
    const rounded = Array.from(vector, (value) => Math.round(value * 1e5) / 1e5);
    const measured = [Math.round(pitch * 10), Math.round(seconds * 1000), ...rounded];
    appendFileSync(progress, `${JSON.stringify([sentence, row, ...measured])}\n`);
    add(sentence, row, measured);
  }
  const values = sums.flatMap((sum, row) => {
    const length = Math.hypot(...sum);
    return [...Array.from(sum, (value) => Math.round((value / length) * SCALE)), ...(measurements[row] ?? [])];
  });
  writeFileSync(target, new Uint8Array(Int16Array.from(values).buffer));
  console.log(`${sentence + 1} of ${sentences.length} sentences`);
}
await Promise.all([engine.close(), xvector.close()]);

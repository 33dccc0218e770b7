/**
 * Makes packages/speech/assets/piper-speakers/xvectors.bin: who each of Piper's 904 speakers sounds like. For each,
 * whole numbers of 16 bits: the mean of the x-vectors of some sentences (128, 32767 is 1), the median pitch in tenths of a
 * Hz (0 where it could not be told), and how long the last sentence took in milliseconds.
 *
 *     node --conditions=source --import tsx training/piper-speakers/make.ts
 *
 * Takes half an hour on one core. What is done is kept in the system's folder for temporary files, so it can be stopped
 * and called again. The result is written after each sentence that all speakers have said.
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { engineSpec } from "../../packages/speech/src/engines/catalogue.ts";
import { loadEngine } from "../../packages/speech/src/engines/load.ts";
import { testModels } from "../../packages/speech/src/testing/models.ts";
import { createTrialVoices, TRIAL_SENTENCES } from "../../packages/speech/src/voices/clone/trial-voice.ts";
import { xvectorFiles } from "../../packages/speech/src/voices/clone/xvector/catalogue.ts";
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
const trials = createTrialVoices(engine, xvector);

const sums = Array.from({ length: SPEAKERS }, () => new Float64Array(SIZE));
const ways = Array.from({ length: SPEAKERS }, () => [0, 0]);
const done = new Set<string>();
function add(sentence: number, row: number, [pitch = 0, milliseconds = 0, ...vector]: readonly number[]): void {
  done.add(`${sentence} ${row}`);
  ways[row] = [pitch, milliseconds];
  const sum = sums[row];
  vector.forEach((value, i) => {
    if (sum) sum[i] = (sum[i] ?? 0) + value;
  });
}
for (const line of existsSync(progress) ? readFileSync(progress, "utf8").split("\n") : []) {
  if (!line.endsWith("]")) continue;
  const [sentence = -1, row = -1, ...heard] = JSON.parse(line) as number[];
  add(sentence, row, heard);
}

for (const [sentence, text] of sentences.entries()) {
  for (let row = 0; row < SPEAKERS; row++) {
    if (done.has(`${sentence} ${row}`)) continue;
    const { vector, pitch = 0, seconds } = await trials.hear(String(row), text);
    const rounded = Array.from(vector, (value) => Math.round(value * 1e5) / 1e5);
    const heard = [Math.round(pitch * 10), Math.round(seconds * 1000), ...rounded];
    appendFileSync(progress, `${JSON.stringify([sentence, row, ...heard])}\n`);
    add(sentence, row, heard);
  }
  const values = sums.flatMap((sum, row) => {
    const length = Math.hypot(...sum);
    return [...Array.from(sum, (value) => Math.round((value / length) * SCALE)), ...(ways[row] ?? [])];
  });
  writeFileSync(target, new Uint8Array(Int16Array.from(values).buffer));
  console.log(`${sentence + 1} of ${sentences.length} sentences`);
}
await Promise.all([engine.close(), xvector.close()]);

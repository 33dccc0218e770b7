/**
 * Holds speak.ts against the reference vectors, windows against the whole, and measures the network's speed.
 *
 *   node --conditions=source --import tsx training/kokoro-student/check-reference.ts FOLDER_OF_THE_STUDENT
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { floats, openSession } from "../../packages/speech/src/engines/session.ts";
import { readReference } from "./reference.ts";
import { CONTEXT, createSpeaker, HOP, noiseAt } from "./speak.ts";

const [folder = "packages/speech/assets/kokoro-student"] = process.argv.slice(2);
const model = join(folder, "student.onnx");
const reference = readReference(await readFile(join(folder, "reference.bin")));
const frames = reference.pitch.length;
const halfFrames = frames / 2;
// The file keeps asr frame by frame; the encoder gives it channel by channel.
const asr = Float32Array.from(
  { length: 512 * halfFrames },
  (_, i) => reference.asr[(i % halfFrames) * 512 + Math.floor(i / halfFrames)] ?? 0,
);
const started = performance.now();
const network = await openSession(model, 1);
console.log(`loaded in ${(performance.now() - started).toFixed(0)} ms`);
const speak = createSpeaker({ ...reference, asr });
const whole = await speak(network);
console.log("whole against reference:", largest(whole, reference.waveform));
console.log("noise:", Math.max(...reference.noise.map((value, n) => Math.abs(value - noiseAt(n)))));
for (const size of [5, 16]) {
  let worst = 0;
  for (let from = 0; from < frames; from += size) {
    const to = Math.min(frames, from + size);
    worst = Math.max(worst, largest(await speak(network, from, to), whole.subarray(from * HOP, to * HOP)));
  }
  console.log(`windows of ${size} frames against the whole:`, worst);
}
await network.release();
for (const threads of [1, 2]) {
  const session = await openSession(model, threads);
  for (const count of [16, 80, 400]) {
    const input = {
      features: floats(new Float32Array((count + 2 * CONTEXT) * 644).fill(0.1), 1, count + 2 * CONTEXT, 644),
      condition: floats(new Float32Array(1156), 1, 1156),
    };
    await session.run(input);
    const times: number[] = [];
    for (let i = 0; i < 7; i++) {
      const begun = performance.now();
      await session.run(input);
      times.push(performance.now() - begun);
    }
    const median = times.sort((a, b) => a - b)[3] ?? 0;
    console.log(
      `${threads} threads, ${count} frames: ${median.toFixed(1)} ms, RTF ${(median / 12.5 / count).toFixed(4)}`,
    );
  }
  await session.release();
}

function largest(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) throw new Error(`lengths differ: ${a.length} and ${b.length}`);
  return a.reduce((most, value, i) => Math.max(most, Math.abs(value - (b[i] ?? 0))), 0);
}

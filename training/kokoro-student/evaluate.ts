/**
 * Word errors of Moonshine on the English sentences of teacher and student, as compare.py wrote them.
 *
 *   node --conditions=source --import tsx training/kokoro-student/evaluate.ts EVALUATION.json FOLDER MOONSHINE_FOLDER
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { loadMoonshine } from "../../packages/speech/src/engines/moonshine/moonshine.ts";
import { wordErrors } from "../../packages/speech/src/testing/word-errors.ts";

interface Item {
  readonly voice: string;
  readonly language: string;
  readonly text: string;
}

const [listing = "", folder = "", moonshine = ""] = process.argv.slice(2);
const items: Item[] = JSON.parse(await readFile(listing, "utf8"));
const recognizer = await loadMoonshine(
  {
    encoder: join(moonshine, "encoder_model.onnx"),
    decoder: join(moonshine, "decoder_model_merged.onnx"),
    vocabulary: join(moonshine, "tokens.txt"),
  },
  2,
);
const never = new AbortController().signal;
const totals = new Map<string, { errors: number; words: number }>();
for (const [index, item] of items.entries()) {
  if (!item.language.startsWith("en")) continue;
  for (const kind of ["teacher", "student"]) {
    const file = await readFile(join(folder, `${index}-${kind}.f32`));
    const { text: heard } = await recognizer.transcribe(at16000(new Float32Array(new Uint8Array(file).buffer)), never);
    const { errors, words } = wordErrors(item.text, heard);
    const total = totals.get(kind) ?? { errors: 0, words: 0 };
    totals.set(kind, { errors: total.errors + errors, words: total.words + words });
    if (errors > 0) console.log(`${item.voice} ${kind}: ${errors} in "${item.text}", heard "${heard}"`);
  }
}
for (const [kind, { errors, words }] of totals) {
  console.log(`${kind}: ${errors} errors in ${words} words, ${((100 * errors) / words).toFixed(2)} %`);
}
await recognizer.close();

/** From 24 to 16 kHz by a windowed sinc that ends at 7.6 kHz. */
function at16000(samples: Float32Array): Float32Array {
  const cut = 7600 / 24_000;
  const reach = 32;
  return Float32Array.from({ length: Math.floor((samples.length * 2) / 3) }, (_, i) => {
    let sum = 0;
    for (let k = Math.ceil(i * 1.5 - reach); k <= i * 1.5 + reach; k++) {
      const t = k - i * 1.5;
      const sinc = t === 0 ? 2 * cut : Math.sin(2 * Math.PI * cut * t) / (Math.PI * t);
      sum += (samples[k] ?? 0) * sinc * (0.5 + 0.5 * Math.cos((Math.PI * t) / reach));
    }
    return sum;
  });
}

/**
 * Makes recordings of speakers that Piper was not trained on, with another engine: Kokoro's voices, and mixes of some of them.
 *
 *     node --conditions=source --import tsx training/voice-encoder/kokoro.ts OUT_FOLDER
 *
 * Writes `PERSON-1.wav` and `PERSON-2.wav`, 16 kHz, different sentences. Voices of the test set are in no mix; their names start
 * with `held_`.
 */
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createResampler } from "../../packages/speech/src/audio/index.ts";
import { kokoro } from "../../packages/speech/src/engines/kokoro/descriptor.ts";
import { engineSpec, loadEngine } from "../../packages/speech/src/engines/load.ts";
import { createUniformSource } from "../../packages/speech/src/engines/random.ts";
import { concatSamples } from "../../packages/speech/src/lib/concat.ts";
import { testModels } from "../../packages/speech/src/testing/models.ts";
import { wavFile } from "../../packages/speech/src/testing/wav-file.ts";
import { planChunks } from "../../packages/speech/src/text/index.ts";

const HELD =
  "af_bella af_kore af_nicole af_sky am_adam am_liam am_onyx am_puck bf_emma bf_lily bm_fable bm_lewis".split(" ");
const MIXES = 90;
const RATE = 16_000;
const texts = [
  "The old road turns away from the river and climbs between quiet fields.",
  "Could you tell me where I might find something warm to eat at this hour?",
  "Seven thin boats were drifting under the bridge when the music began.",
  "She measured the garden twice and wrote down each number with great care.",
  "Nothing about the journey had been easy, yet they were laughing all the same.",
  "A good part of the village came out to watch the young horses being shown.",
];

const [out = ""] = process.argv.slice(2);
await mkdir(out, { recursive: true });
const models = await testModels("kokoro-q8");
const spec = await engineSpec(kokoro.name, models, 1);
if (!spec) throw new Error("Kokoro is not installed");
const engine = await loadEngine(spec);
const random = createUniformSource(5);
const { voices: folder } = await kokoro.locate(models, "fast");
const stock = (await readdir(folder)).sort().map((file) => file.replace(/\.bin$/, ""));
const free = stock.filter((name) => !HELD.includes(name));

for (const name of stock) await speak(HELD.includes(name) ? `held_${name}` : name, name);
for (let mix = 0; mix < MIXES; mix++) await speak(`mix_${mix}`, await mixed(2 + Math.floor(2 * random())));
await engine.close();

async function mixed(parts: number): Promise<Float32Array> {
  const tables = await Promise.all(
    Array.from({ length: parts }, async () => ({ weight: 0.2 + random(), table: await tableOf(pick(free)) })),
  );
  const total = tables.reduce((sum, { weight }) => sum + weight, 0);
  return Float32Array.from({ length: tables[0]?.table.length ?? 0 }, (_, i) =>
    tables.reduce((sum, { weight, table }) => sum + (weight / total) * (table[i] ?? 0), 0),
  );
}

async function tableOf(name: string): Promise<Float32Array> {
  return new Float32Array(new Uint8Array(await readFile(join(folder, `${name}.bin`))).buffer);
}

async function speak(person: string, embedding: string | Float32Array): Promise<void> {
  const first = Math.floor(random() * texts.length);
  for (const take of [1, 2]) {
    const resampler = createResampler(engine.sampleRate, RATE);
    const pieces: Float32Array[] = [];
    const plan = { latency: "normal", chunkLength: 300, minChunkLength: 0, normalize: true } as const;
    const text = texts[(first + 2 * take) % texts.length] ?? "";
    for (const chunk of planChunks(text, { ...plan, languageOf: () => "en-us" })) {
      const options = { speed: 1, temperature: 0.7, seed: take };
      const speaking = engine.synthesize(chunk, { language: "en-us", embedding }, options, AbortSignal.timeout(60_000));
      for await (const { samples } of speaking) pieces.push(resampler.push(samples));
    }
    pieces.push(resampler.flush());
    await writeFile(join(out, `${person}-${take}.wav`), wavFile([concatSamples(pieces)], { sampleRate: RATE }));
  }
  process.stdout.write(`${person}\n`);
}

function pick<T>(list: readonly T[]): T {
  const found = list[Math.floor(random() * list.length)];
  if (found === undefined) throw new RangeError("nothing to choose from");
  return found;
}

/**
 * Exports the parts of Piper that the encoder is trained through, for training on a GPU.
 *
 *     node --conditions=source --import tsx training/voice-encoder/prepare.ts HELP_FOLDER OUT_FOLDER
 *
 * HELP_FOLDER contains English help pages (`usr/share/help/C/gnome-help` of Debian's gnome-user-docs). Writes
 *   piper.onnx    flow and decoder: from the prior of the latent and the speaker embedding to audio
 *   speakers.bin  the embeddings of Piper's speakers, 32-bit floats
 *   heard.bin     the features of those whose pitch is known: row, log2 of the pitch, x-vector (1 + 1 + 128 floats)
 *   texts.bin     sentences as encoded by the text encoder; for each: tokens, takes (32-bit integers), then 32-bit floats:
 *                 means [192, tokens], log deviations [192, tokens], frames of each token [takes, tokens]
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { piperTokens } from "../../packages/speech/src/engines/piper/piper.ts";
import { loadPiperStages } from "../../packages/speech/src/engines/piper/stages.ts";
import { createNormalSource, createUniformSource } from "../../packages/speech/src/engines/random.ts";
import { loadEspeak } from "../../packages/speech/src/g2p/espeak.ts";
import { createPronouncer } from "../../packages/speech/src/g2p/pronounce.ts";
import { testModels } from "../../packages/speech/src/testing/models.ts";
import { planChunks } from "../../packages/speech/src/text/index.ts";
import { readStockSpeakers } from "../../packages/speech/src/voices/clone/stock-speakers.ts";
import { helpSentences, shuffled } from "../help-sentences.ts";
import { bytesOf, encodeTakes, soundHalf } from "../piper-parts.ts";

const TEXTS = 96;
/** The number of speakers whose durations are used for each sentence. */
const TAKES = 6;

const [help = "", out = ""] = process.argv.slice(2);
await mkdir(out, { recursive: true });
const models = await testModels("piper-libritts");
const model = models.path("piper-libritts", "model.onnx");
const stages = await loadPiperStages(model, 1);
const pronounce = createPronouncer(await loadEspeak());
const random = createUniformSource(3);
const normal = createNormalSource(3);

await writeFile(join(out, "piper.onnx"), await soundHalf(model));
await writeFile(join(out, "speakers.bin"), bytesOf(stages.speakers));
const heard = (await readStockSpeakers()).flatMap(({ name, vector, pitch }) =>
  pitch === undefined ? [] : [Number(name), Math.log2(pitch), ...vector],
);
await writeFile(join(out, "heard.bin"), bytesOf(Float32Array.from(heard)));

const plan = { latency: "normal", chunkLength: 300, minChunkLength: 0, normalize: true } as const;
const sentences = shuffled(await helpSentences(help, "en-us"), random).filter(
  ({ length }) => length > 45 && length < 75,
);
const texts: Uint8Array[] = [];
for (const sentence of sentences) {
  if (texts.length === TEXTS) break;
  const [chunk, ...more] = [...planChunks(sentence, { ...plan, languageOf: () => "en-us" })];
  if (!chunk || more.length > 0) continue;
  const words = pronounce(chunk.words, "en-us");
  const tokens = (await piperTokens(models.path("piper-libritts", "tokens.txt"), words)).map(({ id }) => id);
  texts.push(await encodeTakes(stages, tokens, TAKES, { random, normal }));
}
await writeFile(join(out, "texts.bin"), Buffer.concat(texts));
await stages.close();

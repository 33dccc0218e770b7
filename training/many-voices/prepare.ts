/**
 * Writes what the training with many voices needs from this project's front ends and from Piper.
 *
 *     node --conditions=source --import tsx training/many-voices/prepare.ts SHARE_FOLDER OUT_FOLDER
 *
 * SHARE_FOLDER is `usr/share` of Debian's gnome-user-docs and libreoffice-help-hi, unpacked (dpkg -x). Writes
 *   piper.onnx      flow and decoder: from the prior of the latent and the speaker embedding to audio
 *   speakers.bin    the embeddings of Piper's speakers, 32-bit floats
 *   texts.bin       English sentences as encoded by Piper; for each: tokens, takes (32-bit integers), then 32-bit floats:
 *                   means [192, tokens], log deviations [192, tokens], frames of each token [takes, tokens]
 *   alignment.json  for each of these sentences: Kokoro's tokens, and the Kokoro token that each Piper token belongs to
 *   stock.json      sentences of all languages as Kokoro's tokens
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { kokoroAlphabet, kokoroSymbols } from "../../packages/speech/src/engines/kokoro/alphabet.ts";
import { createKokoroPronouncer } from "../../packages/speech/src/engines/kokoro/pronounce.ts";
import { parseVocabulary } from "../../packages/speech/src/engines/kokoro/prosody-source.ts";
import { piperTokens } from "../../packages/speech/src/engines/piper/piper.ts";
import { loadPiperStages } from "../../packages/speech/src/engines/piper/stages.ts";
import { createNormalSource, createUniformSource } from "../../packages/speech/src/engines/random.ts";
import { tokenize } from "../../packages/speech/src/engines/tokens.ts";
import { loadEspeak } from "../../packages/speech/src/g2p/espeak.ts";
import { createPronouncer, type PronouncedWord } from "../../packages/speech/src/g2p/pronounce.ts";
import { testModels } from "../../packages/speech/src/testing/models.ts";
import { planChunks } from "../../packages/speech/src/text/index.ts";
import { helpSentences, officeSentences, shuffled } from "../help-sentences.ts";
import { bytesOf, encodeTakes, soundHalf } from "../piper-parts.ts";

const TEXTS = 420;
/** The number of speakers whose durations are used for each sentence. */
const TAKES = 3;
const LANGUAGES = [
  { language: "en-us", folder: "C", sentences: 500 },
  { language: "en-gb", folder: "C", sentences: 300 },
  { language: "es", folder: "es", sentences: 350 },
  { language: "fr-fr", folder: "fr", sentences: 350 },
  { language: "it", folder: "it", sentences: 350 },
  { language: "pt-br", folder: "pt_BR", sentences: 350 },
  // GNOME's help is hardly translated to Hindi.
  { language: "hi", office: "hi", sentences: 300 },
  { language: "ja", folder: "ja", sentences: 350 },
  { language: "zh", folder: "zh_CN", sentences: 350 },
] as const;

const [share = "", out = ""] = process.argv.slice(2);
const help = join(share, "help");
await mkdir(out, { recursive: true });
const models = await testModels("piper-libritts", "kokoro-q8");
const model = models.path("piper-libritts", "model.onnx");
const stages = await loadPiperStages(model, 1);
const espeak = createPronouncer(await loadEspeak());
const pronounce = createKokoroPronouncer(espeak);
const alphabet = kokoroAlphabet(parseVocabulary(await readFile(models.path("kokoro-q8", "tokenizer.json"), "utf8")));
const random = createUniformSource(3);
const normal = createNormalSource(3);
const plan = { latency: "normal", chunkLength: 300, minChunkLength: 0, normalize: true } as const;

await writeFile(join(out, "piper.onnx"), await soundHalf(model));
await writeFile(join(out, "speakers.bin"), bytesOf(stages.speakers));

/** Each phoneme as a word of its own, so that both alphabets can be compared phoneme by phoneme. */
interface Spelled {
  readonly words: readonly PronouncedWord[];
  readonly symbols: readonly (readonly string[])[];
}

/** Undefined where a word in Kokoro's symbols is more than the symbols of its phonemes. */
function spelled(words: readonly PronouncedWord[]): Spelled | undefined {
  const symbols = words.map(({ phonemes }) => phonemes.map((phoneme) => kokoroSymbols([phoneme], "en-us")));
  const same = words.every(({ phonemes }, i) => kokoroSymbols(phonemes, "en-us") === (symbols[i] ?? []).join(""));
  return same ? { words, symbols } : undefined;
}

const texts: Uint8Array[] = [];
const alignment: { ids: number[]; of: number[] }[] = [];
const english = shuffled(await helpSentences(join(help, "C/gnome-help"), "en-us"), random);
for (const sentence of english.filter(({ length }) => length > 50 && length < 95)) {
  if (texts.length === TEXTS) break;
  const [chunk, ...more] = [...planChunks(sentence, { ...plan, languageOf: () => "en-us" })];
  if (!chunk || more.length > 0) continue;
  const both = spelled(espeak(chunk.words, "en-us"));
  if (!both) continue;
  const aligned = await align(both);
  if (!aligned) continue;
  texts.push(await encodeTakes(stages, aligned.piper, TAKES, { random, normal }));
  alignment.push({ ids: aligned.ids, of: aligned.of });
}
await writeFile(join(out, "texts.bin"), Buffer.concat(texts));
await writeFile(join(out, "alignment.json"), JSON.stringify(alignment));
console.log(`${texts.length} sentences of Piper`);
await stages.close();

/** Piper's tokens, Kokoro's, and which of Kokoro's each of Piper's belongs to: those between two belong to the one before. */
async function align({ words, symbols }: Spelled) {
  const file = models.path("piper-libritts", "tokens.txt");
  const whole = await piperTokens(file, words);
  // One word for each phoneme, joined to the one before: the word of a token is then its phoneme.
  const single = words.flatMap(({ phonemes, after }, w) =>
    phonemes.map((phoneme, p) => ({
      phonemes: [phoneme],
      after: p === phonemes.length - 1 ? after : "",
      joined: p > 0,
      w,
      p,
    })),
  );
  const parts = await piperTokens(file, single);
  if (parts.length !== whole.length || parts.some(({ id }, i) => id !== whole[i]?.id)) return undefined;
  const kokoro = tokenize(
    single.map(({ w, p, after, joined }) => ({ phonemes: [symbols[w]?.[p] ?? ""], after, joined })),
    alphabet,
  );
  const ids = [0, ...kokoro.map(({ id }) => id), 0];
  /** Tokens of each phoneme, and under -1 - phoneme the spaces and marks after it. */
  const groups = (list: readonly { readonly word: number }[]): Map<number, number[]> => {
    const found = new Map<number, number[]>();
    let last = -1;
    for (const [i, { word }] of list.entries()) {
      if (word >= 0) last = word;
      const key = word >= 0 ? word : -2 - last;
      found.set(key, [...(found.get(key) ?? []), i]);
    }
    return found;
  };
  const target = groups([{ word: -1 }, ...kokoro, { word: -1 }]);
  const of = parts.map(() => 0);
  let before = 0;
  for (const [key, members] of groups(parts)) {
    const known = target.get(key);
    const phoneme = single[key];
    const stressed =
      phoneme !== undefined &&
      /^[ˈˌ]/.test(phoneme.phonemes[0] ?? "") &&
      /^[ˈˌ]/.test(symbols[phoneme.w]?.[phoneme.p] ?? "");
    for (const [n, member] of members.entries()) {
      if (known === undefined) of[member] = before;
      else if (stressed && n < 2) of[member] = known[0] ?? before;
      else {
        const [from, count] = stressed ? [2, known.slice(1)] : [0, known];
        const list = count.length > 0 ? count : known;
        of[member] =
          list[Math.min(list.length - 1, Math.floor(((n - from) * list.length) / (members.length - from)))] ?? before;
      }
    }
    before = of[members.at(-1) ?? 0] ?? before;
  }
  of[of.length - 1] = ids.length - 1;
  return { piper: parts.map(({ id }) => id), ids, of };
}

const stock: { language: string; ids: number[] }[] = [];
for (const { language, sentences, ...source } of LANGUAGES) {
  const all =
    "office" in source
      ? officeSentences(join(share, "libreoffice/help", source.office, "text"), language)
      : helpSentences(join(help, source.folder, "gnome-help"), language);
  const found = shuffled(await all, random);
  let count = 0;
  for (const sentence of found) {
    if (count === sentences) break;
    const ids: number[] = [];
    for (const chunk of planChunks(sentence, { ...plan, languageOf: () => language })) {
      if (ids.length > 0) ids.push(16);
      ids.push(...tokenize(await pronounce(chunk.words, language), alphabet).map(({ id }) => id));
    }
    if (ids.length < 40 || ids.length > 140) continue;
    stock.push({ language, ids });
    count++;
  }
  console.log(`${language}: ${count} sentences`);
}
await writeFile(join(out, "stock.json"), JSON.stringify(stock));

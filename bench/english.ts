/**
 * How well English is pronounced:
 *
 *     npm run bench -- english [--lexicon DIR] [--checkout DIR] [--part words,i,sentences] [--recognized]
 *
 * - words: phonemes of the 2 000 commonest words, compared with the lexicon that Kokoro's author made (`us_gold.json.gz` and
 *   `us_silver.json.gz` in `--lexicon DIR`);
 * - i: in how many of 36 sentences a recognizer hears the word "I";
 * - sentences: word errors of two recognizers in a hundred sentences with "I", imperatives and heteronyms.
 *
 * `--checkout DIR` speaks with the sources of another checkout, for a comparison with an older version. `--recognized` prints the
 * recognized text where it differs.
 */
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { createModelStore, defaultModelsDirectory } from "@parlance/speech";
import { compareWithLexicon } from "./english/common-words.ts";
import { hardSentences, sentencesWithI } from "./english/sentences.ts";
import { openRecognizers } from "./kokoro/recognition.ts";
import { RATE } from "./kokoro/stft.ts";
import { round } from "./statistics.ts";

const SOURCES = resolve(import.meta.dirname, "..");
/** For "I"; the first one also speaks the sentences. */
const VOICES = ["af_heart", "am_michael", "bf_emma"];

export async function benchEnglish(args: readonly string[]): Promise<unknown> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      lexicon: { type: "string" },
      checkout: { type: "string", default: SOURCES },
      part: { type: "string", default: "words,i,sentences" },
      recognized: { type: "boolean", default: false },
    },
  });
  const parts = values.part.split(",");
  const figures: { words?: unknown; i?: unknown; sentences?: unknown } = {};
  if (parts.includes("words") && values.lexicon !== undefined) figures.words = await compareWithLexicon(values.lexicon);
  if (parts.includes("i") || parts.includes("sentences")) {
    const listener = await openListener(resolve(values.checkout), values.recognized);
    try {
      if (parts.includes("i")) figures.i = await listener.countI();
      if (parts.includes("sentences")) figures.sentences = await listener.wordErrors();
    } finally {
      await listener.close();
    }
  }
  console.log(JSON.stringify(figures, null, 2));
  return figures;
}

/** Speaks with the sources in a folder, and listens with those of this one. */
async function openListener(checkout: string, prints: boolean) {
  const load = (file: string) => import(join(checkout, "packages/speech/src", file));
  const { createSpeech }: typeof import("@parlance/speech") = await load("index.ts");
  const { speakSamples }: typeof import("../packages/speech/src/testing/speak-samples.ts") =
    await load("testing/speak-samples.ts");
  const models = createModelStore({ directory: defaultModelsDirectory(process.env) });
  const speech = await createSpeech({ models, engines: ["kokoro"], keepAhead: false });
  const recognizers = await openRecognizers(2);

  async function recognize(text: string, name: string) {
    const voice = speech.findVoice(name);
    if (voice === undefined) throw new Error(`there is no voice ${name}`);
    const samples = await speakSamples(speech, text, { engine: "kokoro", sampleRate: RATE, seed: 1, voices: [voice] });
    return recognizers.recognize(samples, { text, voice: name, language: "en-us" });
  }

  return {
    /** A sentence counts if one of the recognizers wrote an "I". */
    async countI() {
      let right = 0;
      for (const voice of VOICES) {
        for (const text of sentencesWithI) {
          const written = Object.values(await recognize(text, voice)).map((recognition) => recognition.text);
          if (written.some((each) => /\bI\b/.test(each))) right++;
          else if (prints) console.log(`${voice}: ${text} → ${written.join(" | ")}`);
        }
      }
      return { sentences: VOICES.length * sentencesWithI.length, recognized: right };
    },
    async wordErrors() {
      const sums = new Map<string, { readonly errors: number; readonly words: number }>();
      for (const text of hardSentences) {
        for (const [name, { errors, words, text: written }] of Object.entries(await recognize(text, VOICES[0] ?? ""))) {
          const sum = sums.get(name) ?? { errors: 0, words: 0 };
          sums.set(name, { errors: sum.errors + errors, words: sum.words + words });
          if (prints && errors > 0) console.log(`${name}: ${text} → ${written}`);
        }
      }
      return Object.fromEntries(
        [...sums].map(([name, { errors, words }]) => [
          name,
          { errors, words, percent: round((100 * errors) / words, 1) },
        ]),
      );
    },
    close: () => Promise.all([speech.close(), recognizers.close()]),
  };
}

/**
 * How well speech in each language is understood, by two recognizers:
 *
 *     npm run bench -- languages [--language CODE,CODE] [--voice NAME] [--recognized]
 *
 * Ten sentences in each language are spoken without a voice being named, so that the language is found and its default voice
 * speaks, and again by one voice (af_heart). `--recognized` prints the recognized text where it differs.
 */
import { parseArgs } from "node:util";
import { createModelStore, createSpeech, defaultModelsDirectory } from "@parlance/speech";
import { speakSamples } from "../packages/speech/src/testing/speak-samples.ts";
import { openRecognizers } from "./kokoro/recognition.ts";
import { RATE } from "./kokoro/stft.ts";
import { understood } from "./languages/compare.ts";
import { sentences } from "./languages/sentences.ts";
import { round } from "./statistics.ts";

export async function benchLanguages(args: readonly string[]): Promise<unknown> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      language: { type: "string", default: Object.keys(sentences).join(",") },
      voice: { type: "string", default: "af_heart" },
      recognized: { type: "boolean", default: false },
    },
  });
  const models = createModelStore({ directory: defaultModelsDirectory(process.env) });
  const speech = await createSpeech({ models, engines: ["kokoro"], keepAhead: false });
  const recognizers = await openRecognizers(2);
  const named = speech.findVoice(values.voice);
  if (named === undefined) throw new Error(`there is no voice ${values.voice}`);
  const ways = { "default voice": { voiceByLanguage: true }, [values.voice]: { voices: [named] } };
  const rows: Record<string, Record<string, number>> = {};
  try {
    for (const language of values.language.split(",")) {
      for (const [way, options] of Object.entries(ways)) {
        const shares: Record<string, number[]> = {};
        for (const text of sentences[language] ?? []) {
          const samples = await speakSamples(speech, text, { engine: "kokoro", sampleRate: RATE, seed: 1, ...options });
          const recognized = await recognizers.recognize(samples, { text, voice: way, language });
          for (const [recognizer, { text: written }] of Object.entries(recognized)) {
            const share = await understood(text, written, language);
            shares[recognizer] = [...(shares[recognizer] ?? []), share];
            if (values.recognized && share < 1) console.log(`${language}, ${way}, ${recognizer}: ${text} → ${written}`);
          }
        }
        rows[`${language}, ${way}`] = Object.fromEntries(
          Object.entries(shares).map(([recognizer, each]) => [
            recognizer,
            round((100 * each.reduce((sum, share) => sum + share, 0)) / each.length, 1),
          ]),
        );
        console.log(`${language}, ${way}: ${JSON.stringify(rows[`${language}, ${way}`])}`);
      }
    }
  } finally {
    await Promise.all([speech.close(), recognizers.close()]);
  }
  console.log("\ncharacters understood, %");
  console.table(rows);
  return rows;
}

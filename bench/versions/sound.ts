import { createModelStore, defaultModelsDirectory, stockVoices } from "@parlance/speech";
import { createActivityDetector } from "../../packages/speech/src/audio/voice-activity.ts";
import { concatBytes } from "../../packages/speech/src/lib/concat.ts";
import { xvectorFiles } from "../../packages/speech/src/voices/clone/xvector/files.ts";
import { cosine } from "../../packages/speech/src/voices/clone/xvector/vectors.ts";
import { loadXVector } from "../../packages/speech/src/voices/clone/xvector/xvector.ts";
import { openBoth } from "../kokoro/pairs.ts";
import { openRecognizers, recognizers, resampled } from "../kokoro/recognition.ts";
import { RATE } from "../kokoro/stft.ts";
import { evaluationItems, type Item, isRecognized } from "../kokoro/texts.ts";
import { streamSpeech } from "../speech-client.ts";
import { median, round } from "../statistics.ts";
import { MODEL, type Version, type Versions, versionNames } from "./speed.ts";

const SILENCE_STEP = RATE / 200;

interface LanguageResult {
  readonly words: Record<Version, number>;
  readonly errors: Record<Version, number>;
  /** Between the x-vectors of both. */
  readonly cosines: number[];
  /** Between those of each and of the original model in float32. */
  readonly toExact: Record<Version, number[]>;
  /** The length of the audio, as a share of the older one's. */
  readonly lengths: number[];
  readonly silence: Record<Version, number[]>;
}

/** The same sentences by both: what two recognizers hear, how like the voices are, and noise in pauses. */
export async function compareSound(versions: Versions, perLanguage: number, languages: readonly string[] | undefined) {
  const models = createModelStore({ directory: defaultModelsDirectory(process.env) });
  const recognition = await openRecognizers(2);
  const xvector = await loadXVector(xvectorFiles(models), 2);
  const both = await openBoth(2);
  const results = new Map<string, LanguageResult>();
  try {
    for (const item of sampleOf(evaluationItems(), perLanguage)) {
      const language = item.language.slice(0, 2);
      if (languages !== undefined && !languages.includes(language)) continue;
      const result = results.get(language) ?? emptyResult();
      results.set(language, result);
      const spoken = { now: await speak(versions, "now", item), before: await speak(versions, "before", item) };
      for (const name of versionNames) {
        result.silence[name].push(levelOfPauses(spoken[name]));
        if (!isRecognized(item)) continue;
        const recognized = await recognition.recognize(spoken[name], item);
        for (const recognizer of recognizers) {
          result.words[name] += recognized[recognizer]?.words ?? 0;
          result.errors[name] += recognized[recognizer]?.errors ?? 0;
        }
      }
      const embed = (samples: Float32Array) => xvector.embed(resampled(samples, RATE, xvector.sampleRate));
      const [now, before] = [await embed(spoken.now), await embed(spoken.before)];
      result.cosines.push(cosine(now, before));
      result.lengths.push(spoken.now.length / spoken.before.length);
      if (!both.teacherIsFull) continue;
      const exact = await embed(await both.teacher(await both.encode(item, undefined, "exact")));
      result.toExact.now.push(cosine(now, exact));
      result.toExact.before.push(cosine(before, exact));
    }
  } finally {
    await Promise.all([recognition.close(), xvector.close(), both.close()]);
  }
  const rows = Object.fromEntries([...results].map(([language, result]) => [language, rowOf(result)]));
  console.table(rows);
  return rows;
}

const emptyResult = (): LanguageResult => ({
  words: { now: 0, before: 0 },
  errors: { now: 0, before: 0 },
  cosines: [],
  toExact: { now: [], before: [] },
  lengths: [],
  silence: { now: [], before: [] },
});

/** So many sentences of each language, spread over its voices. */
function sampleOf(items: readonly Item[], perLanguage: number): Item[] {
  const languages = [...new Set(items.map(({ language }) => language.slice(0, 2)))];
  return languages.flatMap((language) => {
    const own = items.filter((item) => item.language.startsWith(language));
    const voices = own.filter(({ text }) => text === own[0]?.text).length;
    const texts = own.length / voices;
    // Each time the next voice: otherwise one of them could get all sentences.
    return Array.from({ length: Math.min(perLanguage, own.length) }, (_, index) => {
      const text = Math.floor((index * texts) / Math.min(perLanguage, own.length));
      return own[text * voices + (index % voices)];
    }).filter((item) => item !== undefined);
  });
}

async function speak(versions: Versions, name: Version, { text, voice }: Item): Promise<Float32Array> {
  const id = stockVoices.find(({ slug, engine }) => slug === voice && engine === "kokoro")?.id ?? "";
  const parts: Uint8Array[] = [];
  const { url, key } = versions[name];
  await streamSpeech(url, key, text, MODEL, { voice: id, onPart: (part) => parts.push(part) });
  const bytes = concatBytes(parts);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float32Array.from({ length: bytes.length / 2 }, (_, at) => view.getInt16(2 * at, true) / 32_768);
}

/** The level of the pieces of 5 ms that hold no sound, dBFS; NaN where there is sound everywhere. */
function levelOfPauses(samples: Float32Array): number {
  const detector = createActivityDetector(RATE);
  let [energy, count] = [0, 0];
  for (let from = 0; from + SILENCE_STEP <= samples.length; from += SILENCE_STEP) {
    if (detector.isActive(samples, from, from + SILENCE_STEP)) continue;
    for (const sample of samples.subarray(from, from + SILENCE_STEP)) energy += sample * sample;
    count += SILENCE_STEP;
  }
  return count === 0 ? Number.NaN : 10 * Math.log10(energy / count + 1e-12);
}

function rowOf(result: LanguageResult): Record<string, number> {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const errorRate = (name: Version) => round((100 * result.errors[name]) / Math.max(1, result.words[name]), 2);
  const pauses = (name: Version) => round(median(result.silence[name].filter((level) => !Number.isNaN(level))), 1);
  return {
    sentences: result.cosines.length,
    words: result.words.now,
    "word errors %": errorRate("now"),
    "before %": errorRate("before"),
    "x-vector cosine": round(mean(result.cosines), 3),
    ...(result.toExact.now.length > 0
      ? {
          "x-vector, float32": round(mean(result.toExact.now), 3),
          "before, float32": round(mean(result.toExact.before), 3),
        }
      : {}),
    "length, ratio": round(mean(result.lengths), 3),
    "pauses dBFS": pauses("now"),
    "pauses before": pauses("before"),
  };
}

import { createModelStore, defaultModelsDirectory, stockVoices } from "@parlance/speech";
import { createActivityDetector } from "../../packages/speech/src/audio/voice-activity.ts";
import { concatBytes } from "../../packages/speech/src/lib/concat.ts";
import { xvectorFiles } from "../../packages/speech/src/voices/clone/xvector/files.ts";
import { cosine, unit } from "../../packages/speech/src/voices/clone/xvector/vectors.ts";
import { loadXVector } from "../../packages/speech/src/voices/clone/xvector/xvector.ts";
import { openBoth } from "../kokoro/pairs.ts";
import { openRecognizers, resampled } from "../kokoro/recognition.ts";
import { RATE } from "../kokoro/stft.ts";
import { evaluationItems, type Item, isRecognized } from "../kokoro/texts.ts";
import { streamSpeech } from "../speech-client.ts";
import { meanOf, median, round, sumOf } from "../statistics.ts";
import { MODEL, type Version, type Versions } from "./speed.ts";

const SILENCE_STEP = RATE / 200;

/** What was measured of one sentence. */
interface SentenceResult extends Item {
  readonly words: number;
  readonly errors: Readonly<Record<Version, number>>;
  /** X-vectors. `exact` is the original model in float32, where it is installed. */
  readonly embeddings: Readonly<Record<Version, Float32Array> & { exact?: Float32Array }>;
  /** The length of the audio, as a share of the older one's. */
  readonly length: number;
  readonly pauses: Readonly<Record<Version, number>>;
}

/** The same sentences by both: what two recognizers hear, how like the voices are, and noise in pauses. */
export async function compareSound(versions: Versions, perLanguage: number, languages: readonly string[] | undefined) {
  const models = createModelStore({ directory: defaultModelsDirectory(process.env) });
  const recognition = await openRecognizers(2);
  const xvector = await loadXVector(xvectorFiles(models), 2);
  const both = await openBoth(2);
  const embed = (samples: Float32Array) => xvector.embed(resampled(samples, RATE, xvector.sampleRate));
  const errorsIn = async (samples: Float32Array, item: Item) => {
    if (!isRecognized(item)) return { words: 0, errors: 0 };
    const heard = Object.values(await recognition.recognize(samples, item));
    return { words: sumOf(heard.map(({ words }) => words)), errors: sumOf(heard.map(({ errors }) => errors)) };
  };
  const results: SentenceResult[] = [];
  try {
    for (const item of sampleOf(evaluationItems(), perLanguage)) {
      if (languages !== undefined && !languages.includes(baseOf(item))) continue;
      const [now, before] = [await speak(versions, "now", item), await speak(versions, "before", item)];
      const heard = { now: await errorsIn(now, item), before: await errorsIn(before, item) };
      const exact = both.teacherIsFull && (await both.teacher(await both.encode(item, undefined, "exact")));
      const result: SentenceResult = {
        ...item,
        words: heard.now.words,
        errors: { now: heard.now.errors, before: heard.before.errors },
        embeddings: {
          ...{ now: await embed(now), before: await embed(before) },
          ...(exact ? { exact: await embed(exact) } : {}),
        },
        length: now.length / before.length,
        pauses: { now: levelOfPauses(now), before: levelOfPauses(before) },
      };
      results.push(result);
      console.log(JSON.stringify({ ...item, ...rowOf([result]) }));
    }
  } finally {
    await Promise.all([recognition.close(), xvector.close(), both.close()]);
  }
  const byLanguage = rowsOf(results, baseOf);
  const byVoice = rowsOf(results, ({ voice }) => voice);
  console.table(byLanguage);
  console.table(byVoice);
  return { byLanguage, byVoice };
}

const baseOf = ({ language }: Item): string => language.slice(0, 2);

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

function rowsOf(results: readonly SentenceResult[], keyOf: (result: SentenceResult) => string) {
  const keys = [...new Set(results.map(keyOf))];
  return Object.fromEntries(keys.map((key) => [key, rowOf(results.filter((result) => keyOf(result) === key))]));
}

type Embedded = keyof SentenceResult["embeddings"];

function rowOf(results: readonly SentenceResult[]): Record<string, number> {
  const errorRate = (name: Version) =>
    round(
      (100 * sumOf(results.map(({ errors }) => errors[name]))) / Math.max(1, sumOf(results.map((r) => r.words))),
      2,
    );
  const pauses = (name: Version) =>
    round(median(results.map((result) => result.pauses[name]).filter((level) => !Number.isNaN(level))), 1);
  const isExact = results.every(({ embeddings }) => embeddings.exact !== undefined);
  return {
    sentences: results.length,
    words: sumOf(results.map(({ words }) => words)),
    "word errors %": errorRate("now"),
    "before %": errorRate("before"),
    "x-vector cosine": sentenceCosine(results, "now", "before"),
    "of a voice": voiceCosine(results, "now", "before"),
    ...(isExact
      ? {
          "x-vector, float32": sentenceCosine(results, "now", "exact"),
          "before, float32": sentenceCosine(results, "before", "exact"),
          "of a voice, float32": voiceCosine(results, "now", "exact"),
          "before, of a voice": voiceCosine(results, "before", "exact"),
        }
      : {}),
    "length, ratio": round(meanOf(results.map(({ length }) => length)), 3),
    "pauses dBFS": pauses("now"),
    "pauses before": pauses("before"),
  };
}

/** The mean of the cosines of single sentences. They depend on how a sentence is spoken, too. */
const sentenceCosine = (results: readonly SentenceResult[], a: Embedded, b: Embedded): number =>
  round(meanOf(results.map(({ embeddings }) => cosineOf(embeddings[a], embeddings[b]))), 3);

/** The cosine of the mean x-vectors of each voice, as speakers are compared; the mean over the voices. */
function voiceCosine(results: readonly SentenceResult[], a: Embedded, b: Embedded): number {
  const voices = [...new Set(results.map(({ voice }) => voice))];
  const cosines = voices.map((voice) => {
    const own = results.filter((result) => result.voice === voice);
    return cosineOf(directionOf(own, a), directionOf(own, b));
  });
  return round(meanOf(cosines), 3);
}

/** The sum of the x-vectors as unit vectors. */
function directionOf(results: readonly SentenceResult[], name: Embedded): Float32Array | undefined {
  const units = results.flatMap(({ embeddings }) => embeddings[name] ?? []).map(unit);
  return units[0]?.map((_, i) => sumOf(units.map((each) => each[i] ?? 0)));
}

const cosineOf = (a: Float32Array | undefined, b: Float32Array | undefined): number =>
  a && b ? cosine(a, b) : Number.NaN;

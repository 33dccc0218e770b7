import { createModelStore, createSpeech, defaultModelsDirectory, type EngineName, type Speech } from "@parlance/speech";
import { alignmentsOf, requestOf, samplesOf } from "../packages/speech/src/testing/speak-samples.ts";
import { quantile, round } from "./statistics.ts";

const RATE = 24_000;
const HOP = RATE / 200;

/** Every full stop makes a pause, and the onset after a pause can be measured without recognition. */
const subjects = ["The captain", "My brother", "A teacher", "The baker", "Their neighbour", "Some people"];
const lists = [
  "bought bread. Cheese. Tea. Pepper. Coffee",
  "called Peter. Kate. Tom. Barbara. Dick",
  "spoke calmly. Paused. Turned. Pointed. Continued",
  "took the train. The bus. A boat. Two bicycles. Taxis",
  "saw a cat. Dogs. Parrots. Ten pigeons. Tortoises",
];
const sentences = subjects.flatMap((subject) => lists.map((list) => `${subject} ${list}.`));

/** The error of word times compared with measured speech onsets, for both engines. */
export async function benchAlign(): Promise<unknown> {
  const speech = await createSpeech({ models: createModelStore({ directory: defaultModelsDirectory(process.env) }) });
  const rows: Record<string, Record<string, number>> = {};
  try {
    for (const engine of ["kokoro", "piper"] as const) {
      if (!speech.defaultVoice(engine)) continue;
      const errors: number[] = [];
      let unclear = 0;
      for (const sentence of sentences) {
        const found = await onsetErrors(speech, engine, sentence);
        errors.push(...found.filter((error) => Math.abs(error) < UNCLEAR_SECONDS));
        unclear += found.filter((error) => !(Math.abs(error) < UNCLEAR_SECONDS)).length;
      }
      const sizes = errors.map(Math.abs);
      rows[engine] = {
        words: errors.length,
        "mean error ms": round((sizes.reduce((sum, size) => sum + size, 0) / sizes.length) * 1000),
        "p95 error ms": round(quantile(sizes, 0.95) * 1000),
        "mean offset ms": round((errors.reduce((sum, error) => sum + error, 0) / errors.length) * 1000),
        unclear,
      };
    }
  } finally {
    await speech.close();
  }
  console.table(rows);
  return rows;
}

/** An onset further away belongs to another word: no pause was found before this one. */
const UNCLEAR_SECONDS = 0.2;

/** The given time minus the nearest measured onset, for each word after a pause. */
async function onsetErrors(speech: Speech, engine: EngineName, text: string): Promise<number[]> {
  const parts = [];
  const request = requestOf(speech, text, { engine, latency: "normal", sampleRate: RATE, speed: 0.9 });
  for await (const part of speech.speak(request, new AbortController().signal)) parts.push(part);
  const words = alignmentsOf(parts).flatMap((chunk) =>
    chunk.segments.map((segment) => ({ text: segment.text, start: chunk.offset + segment.start })),
  );
  const written = text.split(" ");
  const afterPause = words.filter((_, index) => written[index - 1]?.endsWith("."));
  const measured = onsets(samplesOf(Buffer.concat(parts.map((part) => part.bytes)))).slice(1);
  return afterPause.map(({ start }) => {
    const distances = measured.map((onset) => start - onset);
    return distances.sort((a, b) => Math.abs(a) - Math.abs(b))[0] ?? Number.POSITIVE_INFINITY;
  });
}

const MIN_PAUSE_HOPS = 24;
const BELOW_SPEECH_DB = 28;

/** Speech onsets after at least 120 ms of silence, in seconds. Stop consonants have shorter pauses. */
function onsets(samples: Float32Array): number[] {
  const levels: number[] = [];
  for (let at = 1; at + HOP < samples.length; at += HOP) {
    let sum = 0;
    // The difference emphasizes high frequencies, because many words begin with consonants.
    for (let i = at; i < at + HOP; i++) sum += ((samples[i] ?? 0) - (samples[i - 1] ?? 0)) ** 2;
    levels.push(10 * Math.log10(sum / HOP + 1e-12));
  }
  const threshold = quantile(levels, 0.9) - BELOW_SPEECH_DB;
  const found: number[] = [];
  let quiet = MIN_PAUSE_HOPS;
  levels.forEach((level, index) => {
    if (level < threshold) quiet++;
    else {
      if (quiet >= MIN_PAUSE_HOPS) found.push((index * HOP) / RATE);
      quiet = 0;
    }
  });
  return found;
}

import { readFile } from "node:fs/promises";
import { cloningEngine } from "../../engines/registry.ts";
import type { SpeakerFeatures } from "./speaker-features.ts";
import { cosine } from "./xvector/xvector.ts";

/** One of the engine's own speakers and its measured features. */
export interface StockSpeaker extends SpeakerFeatures {
  /** As the engine names it. */
  readonly name: string;
}

const VECTOR_SIZE = 128;
/** The vector, the pitch in tenths of a Hz, and the duration of a sentence, which is not used. */
const FIELDS = VECTOR_SIZE + 2;

export async function readStockSpeakers(
  file: URL = cloningEngine.cloning.stockSpeakers,
): Promise<readonly StockSpeaker[]> {
  const bytes = await readFile(file);
  const numbers = Array.from({ length: bytes.length / 2 }, (_, index) => bytes.readInt16LE(index * 2));
  if (numbers.length === 0 || numbers.length % FIELDS !== 0) throw new Error(`${file.pathname} is damaged`);
  return Array.from({ length: numbers.length / FIELDS }, (_, row) => {
    const pitch = numbers[row * FIELDS + VECTOR_SIZE] ?? 0;
    const vector = Float32Array.from(numbers.slice(row * FIELDS, row * FIELDS + VECTOR_SIZE), (value) => value / 32767);
    return { name: String(row), vector, pitch: pitch === 0 ? undefined : pitch / 10 };
  });
}

/** A difference of an octave in pitch counts as much as this difference of the cosine. */
const OCTAVE_WEIGHT = 0.1;

/** How well a voice fits a speaker: the cosine of the x-vectors, less a penalty for the difference in pitch. */
export function fitOf(voice: SpeakerFeatures, target: SpeakerFeatures): number {
  const octaves = voice.pitch && target.pitch ? Math.abs(Math.log2(voice.pitch / target.pitch)) : 0;
  return cosine(voice.vector, target.vector) - OCTAVE_WEIGHT * octaves;
}

/** The best fitting speakers, best first. */
export function nearestSpeakers(
  speakers: readonly StockSpeaker[],
  target: SpeakerFeatures,
  count: number,
): readonly StockSpeaker[] {
  return speakers
    .map((speaker) => ({ speaker, fit: fitOf(speaker, target) }))
    .sort((a, b) => b.fit - a.fit)
    .slice(0, count)
    .map(({ speaker }) => speaker);
}

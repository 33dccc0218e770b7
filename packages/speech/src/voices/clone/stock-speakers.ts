import { readFile } from "node:fs/promises";
import { cosine } from "./xvector/xvector.ts";

/** What one of the speakers that Piper was taught sounds like. */
export interface StockSpeaker {
  /** Its row in the model's table, as an engine is told of it. */
  readonly name: string;
  readonly vector: Float32Array;
  /** In Hz. */
  readonly pitch: number | undefined;
}

export const speakersFile = new URL("../../../assets/piper-speakers/xvectors.bin", import.meta.url);

const SIZE = 128;
/** The vector, the pitch in tenths of a Hz, and how long a sentence took, which is of no use here. */
const FIELDS = SIZE + 2;

export async function readStockSpeakers(file: URL = speakersFile): Promise<readonly StockSpeaker[]> {
  const bytes = await readFile(file);
  const numbers = Array.from({ length: bytes.length / 2 }, (_, index) => bytes.readInt16LE(index * 2));
  if (numbers.length === 0 || numbers.length % FIELDS !== 0) throw new Error(`${file.pathname} is damaged`);
  return Array.from({ length: numbers.length / FIELDS }, (_, row) => {
    const pitch = numbers[row * FIELDS + SIZE] ?? 0;
    const vector = Float32Array.from(numbers.slice(row * FIELDS, row * FIELDS + SIZE), (value) => value / 32767);
    return { name: String(row), vector, pitch: pitch === 0 ? undefined : pitch / 10 };
  });
}

/** An octave of difference in pitch weighs as much as this much of a cosine. */
const OCTAVE_WEIGHT = 0.1;

/** How well a voice fits: how alike they are to a network that tells speakers apart, less what the pitch is off. */
export function fitOf(
  voice: { readonly vector: Float32Array; readonly pitch: number | undefined },
  wanted: { readonly vector: Float32Array; readonly pitch: number | undefined },
): number {
  const octaves = voice.pitch && wanted.pitch ? Math.abs(Math.log2(voice.pitch / wanted.pitch)) : 0;
  return cosine(voice.vector, wanted.vector) - OCTAVE_WEIGHT * octaves;
}

/** The best fitting ones first. */
export function nearestSpeakers(
  speakers: readonly StockSpeaker[],
  wanted: { readonly vector: Float32Array; readonly pitch: number | undefined },
  count: number,
): readonly StockSpeaker[] {
  return speakers
    .map((speaker) => ({ speaker, fit: fitOf(speaker, wanted) }))
    .sort((a, b) => b.fit - a.fit)
    .slice(0, count)
    .map(({ speaker }) => speaker);
}

import { clamp } from "../../lib/clamp.ts";
import type { EngineVoice } from "../engine.ts";
import { nativePitch, prosodyPitch } from "./native-voices.ts";
import { MIN_PITCH } from "./student/shape.ts";

/** Further from the median, the pitch moves as much as here: between voiced and unvoiced frames it is any value down to zero. */
const MAX_DISTANCE = 2;

/** The pitch tells words apart in these languages: another range makes them less clear, a narrower and a wider one. */
const PITCH_TELLS_WORDS: ReadonlySet<string> = new Set(["ja", "zh"]);

/**
 * The pitch of each frame as a voice has it in a language: moved, and its range around the median made wider or narrower.
 * Voiced frames stay voiced and unvoiced ones unvoiced: a frame whose pitch would cross the threshold keeps it.
 */
export function pitchContour(voice: EngineVoice, language: string): (pitch: Float32Array) => Float32Array {
  const change = nativePitch(voice, language);
  const factor = (voice.pitch ?? 1) / change;
  const { pitchRange = 1 } = voice;
  const range = PITCH_TELLS_WORDS.has(language.split("-")[0] ?? "") ? 1 : pitchRange;
  const median = prosodyPitch(voice);
  if (range === 1 || median === undefined) return sameVoicing((hertz) => hertz * factor);
  const distance = (hertz: number): number => clamp(hertz / (median * change), 1 / MAX_DISTANCE, MAX_DISTANCE);
  return sameVoicing((hertz) => hertz * factor * distance(hertz) ** (range - 1));
}

const isVoiced = (hertz: number): boolean => hertz > MIN_PITCH;

function sameVoicing(move: (hertz: number) => number): (pitch: Float32Array) => Float32Array {
  return (pitch) =>
    pitch.map((hertz) => {
      const moved = move(hertz);
      return isVoiced(moved) === isVoiced(hertz) ? moved : hertz;
    });
}

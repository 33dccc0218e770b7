import type { Step, Unit } from "./align.ts";
import { missingInArabic, missingInDevanagari, silentInArabic, unlike } from "./unlike.ts";

/** What it costs that a word has, or lacks, the sounds of both texts. */
export interface StepCosts {
  /** Of a sound of a word that is the sound of a step. */
  matched(step: Step, sound: string): number;
  /** Of a sound of a word that is in neither text. */
  inserted(sound: string): number;
  /** Of a step that no word has. */
  deleted(step: Step): number;
  /** Of a word that ends with a step, or goes on, where the texts do not. */
  boundary(step: Step | undefined, ends: boolean): number;
}

interface TextCosts {
  /** How much the text counts. */
  readonly weight: number;
  readonly missing: (sound: string) => number;
  readonly silent: (sound: string) => number;
}

const arabic = (weight: number): TextCosts => ({ weight, missing: missingInArabic, silent: silentInArabic });
const devanagari = (weight: number): TextCosts => ({
  weight,
  missing: missingInDevanagari,
  silent: missingInDevanagari,
});

const BOUNDARY = 0.9;
/** Of each sound of a letter that is more usual. */
const UNUSUAL = 0.03;
/** Of a letter that may be silent. */
const SILENT = 0.3;

/** What the Hindi text is in: there may be none. */
type HindiScript = "Devanagari" | "Arabic" | "none";

const COSTS: Readonly<Record<HindiScript, readonly [hindi: TextCosts, urdu: TextCosts]>> = {
  Devanagari: [devanagari(1), arabic(2)],
  // They are alike: together they count little more than one of them.
  Arabic: [arabic(1), arabic(1.2)],
  none: [arabic(0), arabic(2)],
};

export function stepCosts(script: HindiScript): StepCosts {
  const [hindiCosts, urduCosts] = COSTS[script];
  const each = (
    { hindi, urdu }: Step,
    cost: (unit: Unit | undefined, { missing, silent }: TextCosts) => number,
  ): number => hindiCosts.weight * cost(hindi, hindiCosts) + urduCosts.weight * cost(urdu, urduCosts);
  return {
    matched: (step, sound) => each(step, (unit, { missing }) => (unit ? unlikeAny(sound, unit) : missing(sound))),
    inserted: (sound) => each({}, (_unit, { missing }) => missing(sound)),
    deleted: (step) =>
      each(step, (unit, { silent }) => {
        if (!unit) return 0;
        if (unit.sounds.includes("")) return SILENT;
        return (unit.isLatin ? missingInDevanagari : silent)(unit.sounds[0] ?? "");
      }),
    boundary: (step, ends) => each(step ?? {}, (unit) => ((unit?.isLast ?? false) === ends ? 0 : BOUNDARY)),
  };
}

function unlikeAny(sound: string, { sounds }: Unit): number {
  let least = Number.POSITIVE_INFINITY;
  for (const [at, one] of sounds.entries()) least = Math.min(least, unlike(sound, one) + at * UNUSUAL);
  return least;
}

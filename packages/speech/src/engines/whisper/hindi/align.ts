import { missingInArabic, silentInArabic, unlike } from "./unlike.ts";

/** A sound of a text. */
export interface Unit {
  /** What it may be, the most usual sound first: several only in Arabic letters. */
  readonly sounds: readonly string[];
  /** The number of its word, which part of it this is, from 0 to 1, and whether the word ends with it. */
  readonly word: number;
  readonly from: number;
  readonly to: number;
  readonly isLast: boolean;
  /** Whether the word is in Latin letters, which write all vowels. */
  readonly isLatin: boolean;
}

/** A sound of the Hindi text, of the Urdu text, or of both where they correspond. */
export interface Step {
  readonly hindi?: Unit | undefined;
  readonly urdu?: Unit | undefined;
}

/** The time and memory for an alignment grow with the product of the lengths. Half a minute of speech has some 400 sounds. */
export const MAX_ALIGNED = 1000;

/** The alignment of two texts with the least cost; undefined for texts that are too long. */
export function aligned(
  hindi: readonly Unit[],
  urdu: readonly Unit[],
): { readonly steps: readonly Step[]; readonly cost: number } | undefined {
  if (Math.max(hindi.length, urdu.length) > MAX_ALIGNED) return undefined;
  const width = urdu.length + 1;
  const costs = new Float32Array((hindi.length + 1) * width);
  const at = (i: number, j: number): number =>
    i < 0 || j < 0 ? Number.POSITIVE_INFINITY : (costs[i * width + j] ?? 0);
  const [down, across] = [hindi.map(onlyHindi), urdu.map(onlyUrdu)];
  /** The least costs of the three ways to a cell: by both, by a sound of Hindi, and by one of Urdu. */
  const ways = (i: number, j: number): [number, number, number] => {
    const [a, b] = [hindi[i - 1], urdu[j - 1]];
    return [
      a && b ? at(i - 1, j - 1) + both(a, b) : Number.POSITIVE_INFINITY,
      at(i - 1, j) + (down[i - 1] ?? 0),
      at(i, j - 1) + (across[j - 1] ?? 0),
    ];
  };
  for (let i = 0; i <= hindi.length; i++)
    for (let j = 0; j < width; j++) if (i + j > 0) costs[i * width + j] = Math.min(...ways(i, j));
  const steps: Step[] = [];
  for (let [i, j] = [hindi.length, urdu.length]; i > 0 || j > 0; ) {
    const [byBoth, byHindi, byUrdu] = ways(i, j);
    if (byBoth <= Math.min(byHindi, byUrdu)) steps.push({ hindi: hindi[--i], urdu: urdu[--j] });
    else if (byHindi <= byUrdu) steps.push({ hindi: hindi[--i] });
    else steps.push({ urdu: urdu[--j] });
  }
  return { steps: steps.reverse(), cost: at(hindi.length, urdu.length) };
}

const both = (a: Unit, b: Unit): number =>
  Math.min(...b.sounds.flatMap((sound) => a.sounds.map((other) => unlike(sound, other))));
const onlyHindi = ({ sounds: [sound = ""] }: Unit): number => missingInArabic(sound);
const onlyUrdu = ({ sounds: [sound = ""] }: Unit): number => silentInArabic(sound);

const VOWEL = /^[aAiIuUeEoO~+:]?$/;
const isVowel = (sound: string): boolean => VOWEL.test(sound);

/** Whether a step has the same consonant in both texts, or none in either. */
export function hasSameConsonant({ hindi, urdu }: Step): boolean {
  if (!hindi || !urdu) return (hindi ?? urdu)?.sounds.some(isVowel) ?? true;
  const isSame = hindi.sounds.some((sound) => urdu.sounds.includes(sound));
  return isSame || (hindi.sounds.every(isVowel) && urdu.sounds.some(isVowel));
}

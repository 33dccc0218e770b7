import type { Syllable } from "./syllables.ts";

/** A character with its reading, undefined for signs. `start`: it is the first of its word. */
export interface ReadCharacter {
  readonly character: string;
  readonly start: boolean;
  readonly syllable: Syllable | undefined;
}

const DIGITS = new Set("〇零一二三四五六七八九");
/** 一 keeps its tone after them, as part of a number or an ordinal. */
const BEFORE_NUMBER = new Set("第初十百千万亿周期拜之点");
/** 一 keeps its tone before them: names of months, days and floors count in order. */
const AFTER_ORDINAL = new Set("月日号楼班级等");

/** The tones as they are spoken: those of 一 and 不, then low tones before low tones. */
export function spokenTones(characters: readonly ReadCharacter[]): (Syllable | undefined)[] {
  const syllables = characters.map((_, index) => ofYiAndBu(characters, index));
  return lowTones(characters, syllables);
}

function ofYiAndBu(all: readonly ReadCharacter[], index: number): Syllable | undefined {
  const here = all[index];
  if (here?.syllable === undefined) return undefined;
  const before = all[index - 1];
  const after = all[index + 1];
  const next = after?.syllable?.tone;
  const { character, syllable } = here;
  if (character !== "一" && character !== "不") return syllable;
  if (before !== undefined && before.character === after?.character && before.syllable !== undefined)
    return { ...syllable, tone: 0 };
  if (character === "不") return syllable.letters === "bu" && next === 4 ? { ...syllable, tone: 2 } : syllable;
  const counts =
    DIGITS.has(before?.character ?? "") ||
    BEFORE_NUMBER.has(before?.character ?? "") ||
    DIGITS.has(after?.character ?? "") ||
    AFTER_ORDINAL.has(after?.character ?? "");
  const endsWord = !here.start && (after === undefined || after.start);
  if (syllable.letters !== "yi" || next === undefined || counts || endsWord) return syllable;
  // 个 is neutral after 一 for some dictionaries, but falls by itself.
  return { ...syllable, tone: next === 4 || after?.character === "个" ? 2 : 4 };
}

/** A low tone before another one rises: in a word, and of a word of one syllable before the next word. */
function lowTones(
  all: readonly ReadCharacter[],
  syllables: readonly (Syllable | undefined)[],
): (Syllable | undefined)[] {
  const spoken = [...syllables];
  const startsWord = (index: number): boolean => all[index]?.start ?? true;
  for (let index = spoken.length - 2; index >= 0; index--) {
    const here = spoken[index];
    if (here?.tone !== 3) continue;
    const inWord = !startsWord(index + 1);
    const single = startsWord(index) && !inWord;
    // Inside a word all but the last rise, so the tone in the dictionary counts.
    const next = inWord ? syllables[index + 1]?.tone : single ? spoken[index + 1]?.tone : undefined;
    if (next === 3) spoken[index] = { ...here, tone: 2 };
  }
  return spoken;
}

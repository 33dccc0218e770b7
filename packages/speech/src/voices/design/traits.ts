import {
  ACCENTS,
  AGES,
  type AgeName,
  GENDERS,
  INTENSIFIERS,
  MOODS,
  PACES,
  PITCHES,
  type TraitWords,
} from "./trait-words.ts";

/** What a description says of a voice. Everything else in it has no effect. */
export interface VoiceTraits {
  readonly gender: "female" | "male" | undefined;
  readonly age: AgeName | undefined;
  /** BCP 47: "en-GB", "fr". */
  readonly accent: string | undefined;
  /** Factors of the pitch and the pace of an average voice. */
  readonly pitch: number;
  readonly pace: number;
  /** What was understood, in words: "female", "old", "very slow". */
  readonly understood: readonly string[];
}

/** How much stronger "very" is: the factor is applied once and this much again. */
const VERY = 0.6;

export function traitsOf(description: string): VoiceTraits {
  const text = description.toLowerCase().normalize("NFC");
  const years = /(\d{1,3})[\s-]*(?:years?[\s-]*old|yo\b|歳|岁)/.exec(text);
  const words = (years ? text.replace(years[0], " ") : text).match(/[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*/gu) ?? [];
  const said = { text, words };
  const gender = firstOf(GENDERS, said);
  const age = years ? AGES.find(({ name }) => name === ageOf(Number(years[1]))) : firstOf(AGES, said);
  const accent = firstOf(ACCENTS, said);
  const pitch = firstOf(PITCHES, said);
  const pace = firstOf(PACES, said);
  const moods = MOODS.filter((mood) => indexOf(mood, said) !== undefined);
  const strengthOf = (trait: TraitWords | undefined): number => (trait && isIntense(trait, said) ? 1 + VERY : 1);
  const product = (factors: readonly number[]): number => factors.reduce((result, factor) => result * factor, 1);
  const named = (trait: TraitWords | undefined, what = ""): readonly string[] =>
    trait ? [`${strengthOf(trait) > 1 ? "very " : ""}${trait.name}${what}`] : [];
  return {
    gender: gender?.name,
    age: age?.name,
    accent: accent?.name,
    pitch: product([age?.pitch ?? 1, (pitch?.factor ?? 1) ** strengthOf(pitch), ...moods.map((mood) => mood.pitch)]),
    pace: product([age?.pace ?? 1, (pace?.factor ?? 1) ** strengthOf(pace), ...moods.map((mood) => mood.pace)]),
    understood: [
      ...(gender ? [gender.name] : []),
      ...(age ? [age.name] : []),
      ...(accent ? [accent.name] : []),
      ...named(pitch, " pitch"),
      ...named(pace),
      ...moods.map(({ name }) => name),
    ],
  };
}

interface Said {
  readonly text: string;
  readonly words: readonly string[];
}

/** The trait whose word comes first in the description. */
function firstOf<Trait extends TraitWords>(traits: readonly Trait[], said: Said): Trait | undefined {
  let first: { readonly trait: Trait; readonly at: number } | undefined;
  for (const trait of traits) {
    const at = indexOf(trait, said);
    if (at !== undefined && (first === undefined || at < first.at)) first = { trait, at };
  }
  return first?.trait;
}

/** Where the first word of the trait is. Undefined: it is not mentioned. */
function indexOf({ words }: TraitWords, said: Said): number | undefined {
  const found = words.split(" ").flatMap((word) => {
    const at = isLatin(word) ? said.words.indexOf(word) : said.text.indexOf(word);
    return at < 0 ? [] : [at];
  });
  return found.length === 0 ? undefined : Math.min(...found);
}

function isIntense(trait: TraitWords, said: Said): boolean {
  const at = indexOf(trait, said);
  return at !== undefined && INTENSIFIERS.split(" ").includes(said.words[at - 1] ?? "");
}

function isLatin(word: string): boolean {
  return /^[\p{Script=Latin}\d-]+$/u.test(word);
}

function ageOf(years: number): AgeName {
  if (years < 13) return "child";
  if (years < 30) return "young";
  return years < 60 ? "middle-aged" : "old";
}

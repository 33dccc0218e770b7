/** A writing system that decides a language, or that several languages share. */
export type Script = "latin" | "devanagari" | "han" | "kana" | "other";

const SCRIPTS: readonly (readonly [Script, RegExp])[] = [
  ["latin", /\p{Script=Latin}/u],
  ["han", /\p{Script=Han}/u],
  ["kana", /[\p{Script=Hiragana}\p{Script=Katakana}ー]/u],
  ["devanagari", /\p{Script=Devanagari}/u],
];

/** Scripts by the first part of a language's name; all others are written in Latin letters. */
const SCRIPTS_OF: Readonly<Record<string, readonly Script[]>> = {
  hi: ["devanagari"],
  ja: ["kana", "han"],
  zh: ["han"],
};

/** The script of a letter; undefined for anything else. */
export function scriptOf(character: string): Script | undefined {
  if (character < "\u0080") return /[a-z]/i.test(character) ? "latin" : undefined;
  if (!/\p{L}/u.test(character)) return undefined;
  return SCRIPTS.find(([, pattern]) => pattern.test(character))?.[0] ?? "other";
}

/** The number of letters in each script. */
export function countScripts(text: string): ReadonlyMap<Script, number> {
  const counts = new Map<Script, number>();
  for (const character of text) {
    const script = scriptOf(character);
    if (script !== undefined) counts.set(script, (counts.get(script) ?? 0) + 1);
  }
  return counts;
}

export function scriptsOf(language: string): readonly Script[] {
  return SCRIPTS_OF[baseOf(language)] ?? ["latin"];
}

/** "pt" of "pt-br". */
export const baseOf = (language: string): string => language.split("-")[0]?.toLowerCase() ?? "";

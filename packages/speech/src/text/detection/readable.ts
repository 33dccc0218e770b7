import { scriptOf, scriptsOf } from "./scripts.ts";

/** Whether some letter of a text belongs to one of the languages, or the text has no letters. */
export function canBeRead(text: string, languages: readonly string[]): boolean {
  const known = new Set(languages.flatMap(scriptsOf));
  let hasLetters = false;
  for (const character of text) {
    const script = scriptOf(character);
    if (script !== undefined && known.has(script)) return true;
    hasLetters ||= script !== undefined;
  }
  return !hasLetters;
}

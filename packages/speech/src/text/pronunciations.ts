import { arpabetToIpa, asIpa } from "./arpabet.ts";
import type { Token } from "./tokens.ts";

/** How a word is spoken: by IPA, or as other words are. */
export type Pronunciation = { readonly phonemes: string } | { readonly respelling: string };

/** By word in lower case. */
export type Pronunciations = ReadonlyMap<string, Pronunciation>;

/** "/nˈwɪn/" and "/N W IH1 N/" are phonemes, anything else is a respelling. Undefined for neither. */
export function parsePronunciation(value: string): Pronunciation | undefined {
  const given = value.trim();
  if (!given.startsWith("/")) return /\p{L}/u.test(given) ? { respelling: given } : undefined;
  const inner = given.replace(/^\/|\/$/g, "");
  const phonemes = arpabetToIpa(inner) ?? asIpa(inner);
  return phonemes === undefined ? undefined : { phonemes };
}

/** Values that are neither phonemes nor words are left out. */
export function parsePronunciations(list: Readonly<Record<string, string>>): Pronunciations {
  const parsed = new Map<string, Pronunciation>();
  for (const [word, value] of Object.entries(list)) {
    const pronunciation = parsePronunciation(value);
    if (pronunciation !== undefined) parsed.set(keyOf(word), pronunciation);
  }
  return parsed;
}

/** The token as the list has it, also with a possessive ending. */
export function withPronunciation(token: Token, list: Pronunciations): Token {
  if (token.phonemes !== undefined || token.spelled) return token;
  const key = keyOf(token.text);
  const exact = list.get(key);
  if (exact !== undefined) return { ...token, ...spokenAs(exact, false) };
  const owner = key.endsWith("'s") ? list.get(key.slice(0, -2)) : undefined;
  return owner === undefined ? token : { ...token, ...spokenAs(owner, true) };
}

function spokenAs(pronunciation: Pronunciation, possessive: boolean): Pick<Token, "phonemes" | "respelling"> {
  if ("respelling" in pronunciation) return { respelling: pronunciation.respelling + (possessive ? "'s" : "") };
  const { phonemes } = pronunciation;
  if (!possessive) return { phonemes };
  const ending = /[szʃʒ]$/.test(phonemes) ? "ɪz" : /[ptkfθ]$/.test(phonemes) ? "s" : "z";
  return { phonemes: phonemes + ending };
}

const keyOf = (word: string): string => word.trim().toLowerCase().replaceAll("’", "'").normalize("NFC");

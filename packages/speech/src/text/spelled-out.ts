import type { Reader } from "./rules/reader.ts";
import { alone } from "./rules/rule.ts";
import { spellLetters } from "./rules/spelling.ts";
import type { Token } from "./tokens.ts";

const UNITS = /[\p{L}\p{M}]+|[^\s\p{L}\p{M}]/gu;

/** The token with the names of its characters: letters, digits, and the signs that the language has a name for. */
export function spelledOut(token: Token, reader: Reader | undefined): Token {
  const names = (token.text.match(UNITS) ?? []).map((unit) => nameOf(unit, reader)).filter((name) => name !== "");
  return { ...token, respelling: names.join(" ") };
}

function nameOf(unit: string, reader: Reader | undefined): string {
  if (/^\p{L}/u.test(unit)) return (reader?.spell ?? spellLetters)(unit);
  return reader?.read(alone(unit, undefined).tokens, 0)[0] ?? unit;
}

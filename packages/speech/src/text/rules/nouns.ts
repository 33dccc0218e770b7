import type { Currency, Gender, Noun } from "./grammar.ts";
import { table } from "./rule.ts";

/** "kilómetro, kilómetros, m": singular, plural, gender. Without a gender the number has the form it has by itself. */
function parseNoun(text: string): Noun {
  const [one = "", many = one, gender] = text.split(",").map((part) => part.trim());
  return { one, many, gender: gender === "m" || gender === "f" ? (gender satisfies Gender) : undefined };
}

/** A table of "symbol symbol: singular, plural, gender". */
export function nouns(lines: string): ReadonlyMap<string, Noun> {
  return new Map(
    [...table(lines)].flatMap(([symbols, text]) =>
      symbols.split(/\s+/).map((symbol): [string, Noun] => [symbol, parseNoun(text)]),
    ),
  );
}

/** A table of "sign code: singular, plural, gender; cent, cents, gender"; the second part only where there are cents. */
export function currencies(lines: string): ReadonlyMap<string, Currency> {
  return new Map(
    [...table(lines)].flatMap(([signs, text]) => {
      const [whole = "", cent] = text.split(";");
      const currency = { ...parseNoun(whole), cent: cent === undefined ? undefined : parseNoun(cent) };
      return signs.split(/\s+/).map((sign): [string, Currency] => [sign, currency]);
    }),
  );
}

/** "metro cuadrado": an adjective that agrees with its unit. */
export function withAdjective(one: string, many: string, feminine = one, feminineMany = many): (unit: Noun) => Noun {
  return (unit) => ({
    one: `${unit.one} ${unit.gender === "f" ? feminine : one}`,
    many: `${unit.many} ${unit.gender === "f" ? feminineMany : many}`,
    gender: unit.gender,
  });
}

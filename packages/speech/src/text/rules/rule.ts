import type { Token } from "../tokens.ts";

/**
 * The spoken form of some tokens: one entry for each token that the rule handles, its words separated by spaces. A word may end
 * in a comma, for a pause inside the token. An empty entry is a silent token.
 */
export type Reading = readonly string[];

/** A token among its neighbours. `style` is what varies inside a language, such as British and American. */
export interface Place<Style = unknown> {
  readonly tokens: readonly Token[];
  readonly index: number;
  readonly style: Style;
}

/** Converts the token at an index, and possibly those after it, or leaves it to the next rules. */
export type Rule<Style = unknown> = (place: Place<Style>) => Reading | undefined;

/**
 * A live text may be split at a comma or similar only when this many tokens after it are known: no rule depends on more of them
 * across such a mark, so the result cannot change any more.
 */
export const LOOKAHEAD = 4;

/** The token at an offset, or undefined. */
export const tokenAt = (place: Place, offset: number): Token | undefined => place.tokens[place.index + offset];

/** The text of the token at an offset; "" if there is none or its pronunciation is given. */
export function textAt(place: Place, offset: number): string {
  const token = tokenAt(place, offset);
  return token?.phonemes !== undefined || token?.respelling !== undefined ? "" : (token?.text ?? "");
}

/** The text of the next token if there is only space between. */
export function joinedNext(place: Place, offset = 0): string {
  return tokenAt(place, offset)?.after === "" && !/[([{]/.test(tokenAt(place, offset + 1)?.before ?? "")
    ? textAt(place, offset + 1)
    : "";
}

/** The text of the previous token if there is only space between. */
export function joinedPrevious(place: Place): string {
  return tokenAt(place, -1)?.after === "" ? textAt(place, -1) : "";
}

/** A token by itself, for the parts of a compound. */
export function alone<Style>(text: string, style: Style): Place<Style> {
  return { tokens: [{ text, from: 0, to: text.length, start: 0, before: "", after: "" }], index: 0, style };
}

/** What the first rule that knows a token makes of it. */
export function firstReading<Style>(rules: readonly Rule<Style>[], place: Place<Style>): Reading | undefined {
  for (const rule of rules) {
    const reading = rule(place);
    if (reading !== undefined && reading.length > 0) return reading;
  }
  return undefined;
}

/** What the rules make of a part of a word by itself. Only for parts shorter than the whole, so that it ends. */
export function readPart<Style>(rules: readonly Rule<Style>[], part: string, style: Style): string | undefined {
  return firstReading(rules, alone(part, style))?.join(" ");
}

/** The same; of a part that no rule knows, its numbers: "1,6,7" is no number in most languages, but must not be silent. */
export function readPartOrNumbers<Style>(rules: readonly Rule<Style>[], part: string, style: Style): string {
  const read = (text: string): string | undefined => readPart(rules, text, style);
  return (
    read(part) ??
    part
      .match(/\d+/g)
      ?.map((digits) => read(digits) ?? digits)
      .join(" ") ??
    part
  );
}

/** A table written as lines of "key: value". */
export function table(lines: string): ReadonlyMap<string, string> {
  const entries = new Map<string, string>();
  for (const line of lines.split("\n")) {
    const colon = line.indexOf(":");
    if (colon > 0) entries.set(line.slice(0, colon).trim(), line.slice(colon + 1).trim());
  }
  return entries;
}

export const wordSet = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

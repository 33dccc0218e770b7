import type { Token } from "../tokens.ts";

/** Joins tokens with only space between, pair by pair: `joined` gives the text of both together, or undefined. */
export function joinTokens(
  tokens: readonly Token[],
  joined: (left: Token, right: Token, following: Token | undefined) => string | undefined,
): readonly Token[] {
  const result: Token[] = [];
  for (const [index, token] of tokens.entries()) {
    const last = result.at(-1);
    const near = last !== undefined && last.after === "" && last.phonemes === undefined && token.before === "";
    const text = near && token.phonemes === undefined ? joined(last, token, tokens[index + 1]) : undefined;
    if (last === undefined || text === undefined || text.length > LONGEST_JOINED) result.push(token);
    else result[result.length - 1] = { ...last, text, to: token.to, after: token.after };
  }
  return result;
}

const LONGEST_JOINED = 48;
const GROUPED = /^[-–]?\d{1,3}(?:\u2009\d{3})*$/;
/** The last group may have decimals, a sign or the ending of an ordinal. */
const NEXT_GROUP = /^\d{3}(?:[.,]\d+)?\.?[^\d\s.,/-]{0,5}$/;

/** "10 000" is one number. Groups are joined with a thin space, which distinguishes it from a telephone number. */
export const joinGroups = (left: Token, right: Token, following: Token | undefined): string | undefined =>
  // "555 555 5555" is a telephone number.
  !(right.after === "" && /^\d{4}$/.test(following?.text ?? "")) &&
  GROUPED.test(left.text) &&
  NEXT_GROUP.test(right.text)
    ? `${left.text}\u2009${right.text}`
    : undefined;

/** What is money before an amount and behind it. */
export interface MoneySigns {
  readonly before: (text: string) => boolean;
  readonly after: (text: string) => boolean;
}

/** A currency sign and its amount: "$ 5", "5 €", "5 k€", "2,50 €/kg". */
export function joinCurrency(left: Token, right: Token, signs: MoneySigns): string | undefined {
  if (/^[-–+]?\d[\d.,\u2009]*$/.test(left.text) && signs.after(right.text)) return `${left.text}${right.text}`;
  return signs.before(left.text.replace(/^[-–]/, "")) && /^\d[\d.,\u2009]*(?:\/\p{L}{1,10})?$/u.test(right.text)
    ? `${left.text}${right.text}`
    : undefined;
}

import type { AbbreviationWords, NumberWords } from "./grammar.ts";
import { joinedPrevious, type Place, type Reading, type Rule, textAt, tokenAt } from "./rule.ts";

/** The most tokens of one abbreviation: "a. de C.". */
const MAX_TOKENS = 3;
const NUMBER = /^(?:\d|[IVXLC]+$)/;

/** An article that is glued to what follows: "l'art. 3", "dell'avv. Rossi". */
const ELIDED = /^(?:l|d|qu|un|all|dall|dell|nell|sull)'(?=\p{L})/u;

/** "Sr." as "señor": the longest abbreviation that starts here. */
export function abbreviationRules(words: AbbreviationWords, nounGender?: NumberWords["nounGender"]): Rule[] {
  const rule: Rule = (place) => {
    for (let count = MAX_TOKENS; count >= 1; count--) {
      const key = keyAt(place, count);
      if (key === undefined) continue;
      const [article = ""] = ELIDED.exec(key) ?? [];
      const said = spoken(words, place, key.slice(article.length), count);
      if (said === undefined) continue;
      const [form = "", feminine = form] = said.split(", ");
      return padded(
        article + (feminine !== form && isFeminine(joinedPrevious(place).toLowerCase()) ? feminine : form),
        count,
      );
    }
    return undefined;
  };
  return [rule];

  /** "la" and "temperatura". */
  function isFeminine(word: string): boolean {
    return words.feminineArticles?.has(word) === true || nounGender?.(word, false) === "f";
  }
}

/** "ee. uu" of "EE. UU.": the last dot is left out. */
function keyAt(place: Place, count: number): string | undefined {
  let key = "";
  for (let offset = 0; offset < count; offset++) {
    const token = tokenAt(place, offset);
    if (token === undefined || token.phonemes !== undefined) return undefined;
    key += token.text;
    if (offset === count - 1) return key.toLowerCase();
    if (token.after !== "." && token.after !== "") return undefined;
    key += `${token.after} `;
  }
  return undefined;
}

/** "Cⁱᵉ" as "Cie". */
const withoutSuperscripts = (key: string): string => key.replace(/\p{Lm}+/gu, (letters) => letters.normalize("NFKC"));

function spoken(words: AbbreviationWords, place: Place, key: string, count: number): string | undefined {
  const always = words.always.get(key) ?? words.always.get(withoutSuperscripts(key));
  if (always !== undefined) return always;
  const dotted = tokenAt(place, count - 1)?.after.startsWith(".") ?? false;
  const adjacent = dotted || tokenAt(place, count - 1)?.after === "";
  const next = adjacent ? textAt(place, count) : "";
  if (NUMBER.test(next)) {
    // "no 5" and "a p 3" are words without their dot.
    const numbered = dotted || !/^(?:\p{L}|no)$/u.test(key) ? words.beforeNumber.get(key) : undefined;
    if (numbered !== undefined) return numbered;
  }
  if (/^\p{Lu}/u.test(next) && dotted) {
    const named = words.beforeName?.get(key);
    if (named !== undefined) return named;
  }
  if (/^\d/.test(textAt(place, -1)) && tokenAt(place, -1)?.after === "") {
    const after = words.afterNumber?.get(key);
    if (after !== undefined) return after;
  }
  return dotted ? words.dotted.get(key) : undefined;
}

/** The reading of `count` tokens whose words are all said at the first one. */
export const padded = (said: string, count: number): Reading => [said, ...Array.from({ length: count - 1 }, () => "")];

/**
 * Spelled letters. espeak treats "F.B.I" for one word of three letter names, stressed as people stress it; single
 * letters that are words too ("A", "I") are respelled so that they are not taken for those.
 */
const RESPELLED: Readonly<Record<string, string>> = { A: "eigh", I: "eye" };

const name = (letter: string): string => RESPELLED[letter.toUpperCase()] ?? letter.toUpperCase();

/** "fbi" is "F.B.I", "x" is "X". Anything but letters is dropped. */
export function spell(text: string): string {
  const letters = [...text].filter((c) => /\p{L}/u.test(c));
  if (letters.length === 1) return name(letters[0] ?? "");
  return letters.map((c) => c.toUpperCase()).join(".");
}

/** "CEO" and "s" is "C.E O's": espeak loses the ending when it is glued to dotted letters. */
export function spellWithEnding(text: string): string {
  const last = name(text.slice(-1));
  const first = text.slice(0, -1);
  return first === "" ? `${last}'s` : `${spell(first)} ${last}'s`;
}

const VOWELS = /[aeiou]|(?!^)y/i;
/** Consonants that English words end in, apart from single ones and a final -s. */
const CODAS =
  /^(?:.?|[cfp]t|ck|[cgpst]h|dd|ff|gg|ght?|l[bdfkmpst]|ll|lth|mb|mp|mm|mpt|nch|n[cdgkstx]|nn|n?gth|[dfnpr]th|r[bcdfgklmnpst]|rch|rld|rr|rst|rv|s[kmpst]|sh|tch|t[tz]|w[dkln]|xt|zz)$/i;
const ONSETS = /^(?:s[cp][lr]|str|sch|[cpst]hr|[bcfgkp][lr]|[dt]r|s[cklmnpqtw]|[cgpstw]h|[dgkst]w|wr|kn|qu|gn|ps)/i;

/** Whether letters could be an English word: a vowel, and no heap of consonants at either end. */
export function isPronounceable(text: string): boolean {
  if (!VOWELS.test(text)) return false;
  const onset = /^y?[^aeiouy]*/i.exec(text)?.[0] ?? "";
  if (onset.length > 3 || (onset.length > 1 && ONSETS.exec(text)?.[0].length !== onset.length)) return false;
  const runs = text.slice(onset.length).split(/[aeiouy]+/i);
  const coda = runs.at(-1) ?? "";
  return runs.every((run) => run.length <= 4) && CODAS.test(coda.replace(/s$/i, "")) && !/([hjkqvwxy])\1/i.test(text);
}

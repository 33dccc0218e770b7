/** Frequent words that no other of these languages has. */
const WORDS: Readonly<Record<string, string>> = {
  en: "the and is are was with that this have you your for not they will would what which from been their there",
  es: "el los las es una y pero como más está muy para por qué del con su sus hay también cuando donde este",
  fr: "le les est une et dans pas vous nous avec pour ce cette mais sur qui je il elle ont être aussi où des",
  it: "il gli è una e non che di per con sono ma anche più della nel questo quando dove come ho hai molto",
  pt: "o os é uma não que com para mas mais está muito você também quando onde isso ele ela são pelo na no",
  de: "der die das ist und nicht ein eine mit für auf sie wir ich auch sich dem den von zu wird haben oder",
};
const SCRIPTS: readonly (readonly [string, RegExp])[] = [
  ["ja", /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ["zh", /\p{Script=Han}/u],
  ["hi", /\p{Script=Devanagari}/u],
];
const MIN_WORDS = 3;
const sets = Object.entries(WORDS).map(([code, words]) => [code, new Set(words.split(" "))] as const);

/** The language of a text as a two-letter code; undefined where it is too short or not clear. Only its start is read. */
export function textLanguage(text: string): string | undefined {
  const start = text.slice(0, 2000).toLowerCase();
  const script = SCRIPTS.find(([, letters]) => letters.test(start));
  if (script) return script[0];
  const words = start.match(/\p{L}+/gu) ?? [];
  const counts = sets
    .map(([code, known]) => ({ code, count: words.filter((word) => known.has(word)).length }))
    .sort((one, other) => other.count - one.count);
  const [first, second] = counts;
  if (first === undefined || words.length < MIN_WORDS || first.count < 2) return undefined;
  return first.count > (second?.count ?? 0) ? first.code : undefined;
}

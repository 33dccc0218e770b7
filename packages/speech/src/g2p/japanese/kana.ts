/** Hiragana in Kokoro's symbols. */
const SYMBOLS: ReadonlyMap<string, string> = new Map(
  `あ a い i う ɯ え e お o ぁ a ぃ i ぅ ɯ ぇ e ぉ o
   か ka き kʲi く kɯ け ke こ ko が ɡa ぎ ɡʲi ぐ ɡɯ げ ɡe ご ɡo ゕ ka ゖ ke
   さ sa し ɕi す sɨ せ se そ so ざ ʣa じ ʥi ず zɨ ぜ ʣe ぞ ʣo
   た ta ち ʨi つ ʦɨ て te と to だ da ぢ ʥi づ zɨ で de ど do
   な na に ɲi ぬ nɯ ね ne の no
   は ha ひ çi ふ ɸɯ へ he ほ ho ば ba び bʲi ぶ bɯ べ be ぼ bo ぱ pa ぴ pʲi ぷ pɯ ぺ pe ぽ po
   ま ma み mʲi む mɯ め me も mo
   や ja ゆ jɯ よ jo ゃ ja ゅ jɯ ょ jo
   ら ɾa り ɾʲi る ɾɯ れ ɾe ろ ɾo
   わ βa ゎ βa ゐ i ゑ e を o ゔ vɯ
   いぇ je うぃ βi うぇ βe うぉ βo
   きぇ kʲe きゃ kʲa きゅ kʲɨ きょ kʲo ぎゃ ɡʲa ぎゅ ɡʲɨ ぎょ ɡʲo
   くぁ kᵝa くぃ kᵝi くぇ kᵝe くぉ kᵝo ぐぁ ɡᵝa ぐぃ ɡᵝi ぐぇ ɡᵝe ぐぉ ɡᵝo
   しぇ ɕe しゃ ɕa しゅ ɕɨ しょ ɕo じぇ ʥe じゃ ʥa じゅ ʥɨ じょ ʥo
   ちぇ ʨe ちゃ ʨa ちゅ ʨɨ ちょ ʨo ぢゃ ʥa ぢゅ ʥɨ ぢょ ʥo
   つぁ ʦa つぃ ʦʲi つぇ ʦe つぉ ʦo てぃ tʲi てゅ tʲɨ でぃ dʲi でゅ dʲɨ とぅ tɯ どぅ dɯ
   にぇ ɲe にゃ ɲa にゅ ɲɨ にょ ɲo
   ひぇ çe ひゃ ça ひゅ çɨ ひょ ço びゃ bʲa びゅ bʲɨ びょ bʲo ぴゃ pʲa ぴゅ pʲɨ ぴょ pʲo
   ふぁ ɸa ふぃ ɸʲi ふぇ ɸe ふぉ ɸo ふゅ ɸʲɨ ふょ ɸʲo
   みゃ mʲa みゅ mʲɨ みょ mʲo りゃ ɾʲa りゅ ɾʲɨ りょ ɾʲo
   ゔぁ va ゔぃ vʲi ゔぇ ve ゔぉ vo ゔゅ bʲɨ ゔょ bʲo
   っ ʔ ー ː`
    .trim()
    .split(/\s+/)
    .flatMap((kana, index, all): [string, string][] => (index % 2 === 0 ? [[kana, all[index + 1] ?? ""]] : [])),
);

const NASAL = "ん";

/** ん sounds like the consonant after it. */
const NASALS: readonly (readonly [before: RegExp, symbol: string])[] = [
  [/^[mpb]/, "m"],
  [/^[kɡ]/, "ŋ"],
  [/^[ɲʨʥ]/, "ɲ"],
  [/^[ntdɾz]/, "n"],
];

export const isKana = (text: string): boolean => /^[\u3041-\u3096\u309d\u309e\u30a1-\u30ff]+$/u.test(text);

/** Small letters that are part of the mora before them. */
export const isSmallKana = (letter: string): boolean => /^[ゃゅょぁぃぅぇぉゎャュョァィゥェォヮ]$/u.test(letter);

const toHiragana = (kana: string): string =>
  kana.replace(/[\u30a1-\u30f6]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0x60));

/** The symbols of each mora of a word in kana: きって → kʲi ʔ te. ん stays, because the next word may decide its sound. */
export function morasOf(kana: string): string[] {
  const letters = [...toHiragana(kana)];
  const moras: string[] = [];
  for (let at = 0; at < letters.length; at++) {
    const letter = letters[at] ?? "";
    const pair = SYMBOLS.get(letter + (letters[at + 1] ?? " "));
    const symbols = pair ?? (letter === NASAL ? letter : SYMBOLS.get(letter));
    if (symbols !== undefined) moras.push(symbols);
    if (pair !== undefined) at++;
  }
  return moras;
}

/** Symbols with the sound of each ん; `after` are those that follow without a space. */
export const withNasals = (symbols: string, after: string): string =>
  symbols.replace(/ん/gu, (_, at: number) => nasalBefore(symbols.slice(at + 1) || after));

const nasalBefore = (next: string): string => NASALS.find(([before]) => before.test(next))?.[1] ?? "ɴ";

import { counterAt, withCounter } from "./counters.ts";

/** Characters that are read together: the kana is divided among them. */
export interface ReadPart {
  readonly characters: string;
  readonly kana: string;
}

const NUMERALS: Readonly<Record<string, string>> = {
  〇: "ゼロ",
  零: "レイ",
  一: "イチ",
  二: "ニ",
  三: "サン",
  四: "ヨン",
  五: "ゴ",
  六: "ロク",
  七: "ナナ",
  八: "ハチ",
  九: "キュー",
  十: "ジュー",
  百: "ヒャク",
  千: "セン",
  万: "マン",
  億: "オク",
  兆: "チョー",
  点: "テン",
  何: "ナン",
};

/** Pairs whose sounds change. */
const PAIRS: Readonly<Record<string, readonly [string, string]>> = {
  三百: ["サン", "ビャク"],
  六百: ["ロッ", "ピャク"],
  八百: ["ハッ", "ピャク"],
  何百: ["ナン", "ビャク"],
  一千: ["イッ", "セン"],
  三千: ["サン", "ゼン"],
  八千: ["ハッ", "セン"],
  何千: ["ナン", "ゼン"],
  一兆: ["イッ", "チョー"],
  八兆: ["ハッ", "チョー"],
  十兆: ["ジュッ", "チョー"],
  一点: ["イッ", "テン"],
  八点: ["ハッ", "テン"],
  十点: ["ジュッ", "テン"],
};

/** Whole numbers that have a word of their own together with a counter. */
const WORDS: ReadonlyMap<string, string> = new Map(
  `一人 ヒトリ 二人 フタリ 二日 フツカ 三日 ミッカ 四日 ヨッカ 五日 イツカ 六日 ムイカ 七日 ナノカ 八日 ヨーカ 九日 ココノカ 十日 トーカ
   十四日 ジューヨッカ 二十日 ハツカ 二十四日 ニジューヨッカ 二十歳 ハタチ
   一つ ヒトツ 二つ フタツ 三つ ミッツ 四つ ヨッツ 五つ イツツ 六つ ムッツ 七つ ナナツ 八つ ヤッツ 九つ ココノツ`
    .trim()
    .split(/\s+/)
    .flatMap((text, index, all): [string, string][] => (index % 2 === 0 ? [[text, all[index + 1] ?? ""]] : [])),
);
const FIRST_OF_MONTH = "ツイタチ";

export const isNumeral = (text: string): boolean => [...text].every((c) => NUMERALS[c] !== undefined);

/**
 * A number in Chinese characters and the counter after it, if there is one. `before` and `after` are the text around it;
 * `digits`: it was written in digits.
 */
export function readNumerals(number: string, before: string, after: string, digits: boolean): ReadPart[] {
  const irregular = irregularWord(number, before, after);
  if (irregular !== undefined) return [irregular];
  const counter = counterAt(after);
  const kana = [...number].map((c) => NUMERALS[c] ?? "");
  for (let at = 0; at + 1 < number.length; at++) {
    const pair = PAIRS[number.slice(at, at + 2)];
    if (pair !== undefined) kana.splice(at, 2, ...pair);
  }
  const parts = [...number].map((characters, index) => ({ characters, kana: kana[index] ?? "" }));
  if (counter === undefined) return parts;
  const last = number.at(-1) ?? "";
  // "二分の一" is a fraction, "十分に" is "enough" unless it was written "10分".
  const fraction = /^分の[〇零一二三四五六七八九十百千何]/u.test(after);
  const enough = !digits && number === "十" && /^分(?:[なにだでと]|$)/u.test(after);
  if (fraction || enough) return [...parts, { characters: "分", kana: "ブン" }];
  const spoken = withCounter(last, counter);
  // A pair has changed the last digit already: "三百" before 本 is ビャッ.
  const lastKana = kana.at(-1) ?? "";
  const changed =
    spoken.digit !== undefined && last === "百" ? lastKana.replace(/ク$/, "ッ") : (spoken.digit ?? lastKana);
  return [...parts.slice(0, -1), { characters: last, kana: changed }, { characters: counter, kana: spoken.counter }];
}

function irregularWord(number: string, before: string, after: string): ReadPart | undefined {
  const [next = ""] = after;
  const kana = number + next === "一日" && before.endsWith("月") ? FIRST_OF_MONTH : WORDS.get(number + next);
  // "三人組" and "二日間" are read the same way, "一人前" and "一つ" too.
  return kana === undefined ? undefined : { characters: number + next, kana };
}

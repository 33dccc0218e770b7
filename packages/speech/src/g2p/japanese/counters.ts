/** How a counter changes the number before it and its own first sound. */
type Change = "-" | "k" | "kg" | "s" | "sz" | "h" | "hp" | "p";

interface Counter {
  readonly kana: string;
  readonly change: Change;
  /** Other readings of the last digit: 四 as ヨ. */
  readonly digits?: Readonly<Record<string, string>>;
}

/** Readings of 四, 七 and 九, in this order, before some counters. */
const digits = (four: string, seven = "ナナ", nine = "キュー") => ({ 四: four, 七: seven, 九: nine });

const IRREGULAR: Readonly<Record<string, Counter>> = {
  年: { kana: "ネン", change: "-", digits: digits("ヨ") },
  年間: { kana: "ネンカン", change: "-", digits: digits("ヨ") },
  円: { kana: "エン", change: "-", digits: digits("ヨ") },
  人: { kana: "ニン", change: "-", digits: digits("ヨ") },
  時: { kana: "ジ", change: "-", digits: digits("ヨ", "シチ", "ク") },
  時間: { kana: "ジカン", change: "-", digits: digits("ヨ", "シチ", "ク") },
  月: { kana: "ガツ", change: "-", digits: digits("シ", "シチ", "ク") },
  日: { kana: "ニチ", change: "-", digits: digits("ヨン", "シチ", "ク") },
  日間: { kana: "ニチカン", change: "-", digits: digits("ヨン", "シチ", "ク") },
};

/**
 * Counters and units, by what they change. "k", "s", "h", "p": 一, 六, 八 and 十 are shortened before these sounds; "kg", "sz":
 * 三 makes the sound voiced; "h", "hp": it becomes b or p after 三.
 */
const REGULAR: Readonly<Record<Exclude<Change, "-">, string>> = {
  k: `個 コ 回 カイ 回目 カイメ 件 ケン 曲 キョク 巻 カン 級 キュー 局 キョク 機 キ 脚 キャク 句 ク 区 ク 桁 ケタ 組 クミ 口 クチ ヶ月 カゲツ か月 カゲツ
      カ月 カゲツ ヵ月 カゲツ ケ月 カゲツ 箇月 カゲツ ヶ月間 カゲツカン か月間 カゲツカン ヶ国 カコク か国 カコク カ国 カコク ヶ所 カショ か所 カショ カ所 カショ`,
  kg: "階 カイ 階建て カイダテ 軒 ケン",
  s: `歳 サイ 才 サイ 冊 サツ 種類 シュルイ 週間 シューカン 週 シュー 世紀 セイキ 世帯 セタイ セット セット センチ センチ センチメートル センチメートル
      頭 トー 通 ツー 丁目 チョーメ 着 チャク 体 タイ 隻 セキ 社 シャ 周 シュー 章 ショー 席 セキ 戦 セン 線 セン 層 ソー 点 テン 滴 テキ 店 テン 手 テ
      店舗 テンポ トン トン 坪 ツボ 立方 リッポー`,
  sz: "足 ソク",
  h: "本 ホン 匹 ヒキ 杯 ハイ 票 ヒョー",
  hp: "分 フン 分間 フンカン 泊 ハク 発 ハツ 歩 ホ 拍 ハク 班 ハン 版 ハン 編 ヘン 敗 ハイ 品 ヒン 筆 ヒツ",
  p: "パーセント パーセント ページ ページ ポイント ポイント",
};

const COUNTERS: ReadonlyMap<string, Counter> = new Map([
  ...Object.entries(IRREGULAR),
  ...(Object.entries(REGULAR) as [Change, string][]).flatMap(([change, list]) =>
    list
      .trim()
      .split(/\s+/)
      .flatMap((counter, index, all): [string, Counter][] =>
        index % 2 === 0 ? [[counter, { kana: all[index + 1] ?? "", change }]] : [],
      ),
  ),
]);
const LONGEST = Math.max(...[...COUNTERS.keys()].map((counter) => counter.length));

/** The longest counter at the start of a text. */
export function counterAt(text: string): string | undefined {
  for (let length = LONGEST; length > 0; length--) {
    if (text.length >= length && COUNTERS.has(text.slice(0, length))) return text.slice(0, length);
  }
  return undefined;
}

const SHORT: Readonly<Record<string, string>> = { 一: "イッ", 六: "ロッ", 八: "ハッ", 十: "ジュッ", 百: "ヒャッ" };
/** The digits that are shortened before a sound. */
const SHORTENED: Readonly<Record<Change, string>> = {
  "-": "",
  k: "一六八十百",
  kg: "一六八十百",
  s: "一八十",
  sz: "一八十",
  h: "一六八十百",
  hp: "一六八十百",
  p: "十",
};
const VOICED: Readonly<Record<string, string>> = { カ: "ガ", ケ: "ゲ", ソ: "ゾ" };
const B_SOUNDS: Readonly<Record<string, string>> = { ハ: "バ", ヒ: "ビ", フ: "ブ", ヘ: "ベ", ホ: "ボ" };
const P_SOUNDS: Readonly<Record<string, string>> = { ハ: "パ", ヒ: "ピ", フ: "プ", ヘ: "ペ", ホ: "ポ" };

/** The last digit and the counter after it, in kana; `undefined` for the digit where it stays as it is. */
export function withCounter(digit: string, counter: string): { digit: string | undefined; counter: string } {
  const { kana, change, digits: special } = COUNTERS.get(counter) ?? { kana: "", change: "-" };
  const short = SHORTENED[change].includes(digit) ? SHORT[digit] : undefined;
  return { digit: special?.[digit] ?? short, counter: firstSound(digit, kana, change, short !== undefined) };
}

function firstSound(digit: string, kana: string, change: Change, short: boolean): string {
  const replaced = (sounds: Readonly<Record<string, string>>): string =>
    (sounds[kana.charAt(0)] ?? kana.charAt(0)) + kana.slice(1);
  const three = "三何千万".includes(digit);
  if (change === "kg" || change === "sz") return three ? replaced(VOICED) : kana;
  if (change !== "h" && change !== "hp") return kana;
  if (short) return replaced(P_SOUNDS);
  if (three) return replaced(change === "h" ? B_SOUNDS : P_SOUNDS);
  return change === "hp" && kana.startsWith("フ") && digit === "四" ? replaced(P_SOUNDS) : kana;
}

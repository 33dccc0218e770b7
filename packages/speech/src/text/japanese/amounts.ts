import { NUMBER } from "../cjk/groups.ts";
import { following, pairs } from "../cjk/phrases.ts";
import { type Rule, textAt } from "../rules/rule.ts";
import { digitByDigit, readNumber } from "./number-words.ts";

const CURRENCIES = pairs(`
  $ ドル US$ ドル HK$ 香港ドル A$ 豪ドル C$ カナダドル € ユーロ £ ポンド ¥ 円 ￥ 円 ₩ ウォン ₹ ルピー ฿ バーツ
  USD ドル EUR ユーロ GBP ポンド JPY 円 CNY 元 KRW ウォン
`);
const UNITS = pairs(`
  kg キログラム g グラム mg ミリグラム μg マイクログラム t トン km キロメートル m メートル cm センチメートル mm ミリメートル nm ナノメートル
  km² 平方キロメートル m² 平方メートル ㎡ 平方メートル cm² 平方センチメートル m³ 立方メートル cm³ 立方センチメートル m2 平方メートル m3 立方メートル km2 平方キロメートル
  l リットル L リットル ml ミリリットル mL ミリリットル dl デシリットル cc シーシー h 時間 min 分 s 秒 ms ミリ秒
  km/h キロメートル毎時 m/s メートル毎秒 °C 度 ℃ 度 °F 華氏 ° 度 ha ヘクタール
  W ワット kW キロワット MW メガワット kWh キロワット時 V ボルト kV キロボルト A アンペア mA ミリアンペア mAh ミリアンペア時 Ω オーム
  Hz ヘルツ kHz キロヘルツ MHz メガヘルツ GHz ギガヘルツ J ジュール cal カロリー kcal キロカロリー Pa パスカル hPa ヘクトパスカル dB デシベル
  KB キロバイト MB メガバイト GB ギガバイト TB テラバイト Mbps メガビーピーエス Gbps ギガビーピーエス px ピクセル pt ポイント ft フィート in インチ lb ポンド
`);
const MULTIPLES = /^[十百千万億兆]+/u;

const sign = (mark: string): string => (mark === "" ? "" : mark === "+" ? "プラス" : "マイナス");

/** $5, -¥1,000, €3.5億. */
const CURRENCY = new RegExp(`^([-−]?)([A-Z]{0,2}[$€£¥￥₩₹฿])(${NUMBER})(?:/([a-zA-Z]{1,3}))?$`);

const currencyRule: Rule = (place) => {
  const [, mark = "", currency = "", amount = "", per] = CURRENCY.exec(textAt(place, 0)) ?? [];
  const name = CURRENCIES.get(currency);
  if (name === undefined) return undefined;
  const said = sign(mark) + readNumber(amount);
  if (per !== undefined) return [`${unitName(per) ?? per}あたり${said}${name}`];
  const multiple = MULTIPLES.exec(following(place, 1, 2))?.[0] ?? "";
  if (multiple === "") return [said + name];
  return [said, ...[...multiple].map((c, index, all) => (index === all.length - 1 ? c + name : c))];
};

/** 25kg, -5℃, 5 km. */
const SIGNED = new RegExp(`^([-+−]?)(${NUMBER})`);

const unitRule: Rule = (place) => {
  const text = textAt(place, 0);
  const [whole = "", mark = "", amount = ""] = SIGNED.exec(text) ?? [];
  if (amount === "") return undefined;
  const own = text.slice(whole.length);
  const said = sign(mark) + readNumber(amount);
  const name = unitName(own === "" ? following(place, 1, 1) : own);
  if (name === undefined) return undefined;
  return own === "" ? [said, name] : [said + name];
};

const unitName = (unit: string): string | undefined =>
  // "5KG", but not "5G".
  UNITS.get(unit) ??
  (unit.length > 1 ? UNITS.get(unit.toLowerCase()) : undefined) ??
  CURRENCIES.get(unit.toUpperCase());

/** 98%, 5%〜10%. */
const PERCENT = new RegExp(`^([-+−]?)(${NUMBER})%$`);

/** 50-60%: the sign stands behind the second number. */
const PERCENT_RANGE = new RegExp(`^(${NUMBER})[-–~](${NUMBER})%$`);

const percentRule: Rule = (place) => {
  const [, from = "", to = ""] = PERCENT_RANGE.exec(textAt(place, 0)) ?? [];
  if (from !== "") return [`${readNumber(from)}から${readNumber(to)}パーセント`];
  const said = textAt(place, 0)
    .split(/(?<=%)[-–~](?=\d)/u)
    .map((part) => {
      const [, mark = "", amount = ""] = PERCENT.exec(part) ?? [];
      return amount === "" ? undefined : `${sign(mark)}${readNumber(amount)}パーセント`;
    });
  return said.includes(undefined) ? undefined : [said.join("から")];
};

/** 1/3, -√1/2: the root is said with the number above the line. */
const fractionRule: Rule = (place) => {
  const [, mark = "", root = "", top = "", bottom = ""] =
    /^([-−]?)(√?)(\d{1,6})\/(\d{1,6})$/.exec(textAt(place, 0)) ?? [];
  if (top === "") return undefined;
  return [`${sign(mark)}${readNumber(bottom)}分の${root === "" ? "" : "ルート"}${readNumber(top)}`];
};

/** 1 1/2 */
const mixedRule: Rule = (place) => {
  const whole = textAt(place, 0);
  const [, top = "", bottom = ""] = /^(\d{1,3})\/(\d{1,3})$/.exec(following(place, 1, 1)) ?? [];
  if (!/^[-−]?\d{1,3}$/.test(whole) || top === "" || Number(top) >= Number(bottom)) return undefined;
  return [
    `${sign(whole.replace(/\d+/, ""))}${readNumber(whole.replace(/\D/, ""))}と`,
    `${readNumber(bottom)}分の${readNumber(top)}`,
  ];
};

/** √2 */
const ROOT = new RegExp(`^([-−]?)√(${NUMBER})$`);

const rootRule: Rule = (place) => {
  const [, mark = "", amount = ""] = ROOT.exec(textAt(place, 0)) ?? [];
  return amount === "" ? undefined : [`${sign(mark)}ルート${readNumber(amount)}`];
};

/** 03-1234-5678, 090-1234-5678, 〒100-0001. */
const phoneRule: Rule = (place) => {
  const text = textAt(place, 0).replace(/^〒/, "");
  const postal = text === textAt(place, 0) ? "" : "郵便番号";
  const called = /^0\d{1,4}-\d{1,4}-\d{3,4}$|^\d{3}-\d{4}$/.test(text);
  return called
    ? [
        postal +
          text
            .split("-")
            .map((part) => digitByDigit(part))
            .join("の, "),
      ]
    : undefined;
};

/** 10-12, 3~5; 3-2 with で behind it is a score, otherwise part of an address: 1-1, 3-2-1. */
const RANGE = new RegExp(`^(${NUMBER})[-–~](${NUMBER})$`);

const rangeRule: Rule = (place) => {
  const block = /^\d{1,4}(?:-\d{1,4}){2,3}$/.test(textAt(place, 0)) ? textAt(place, 0).split("-") : [];
  if (block.length > 0) return [block.map((part) => readNumber(part)).join("の")];
  const [, from = "", to = ""] = RANGE.exec(textAt(place, 0)) ?? [];
  if (from === "") return undefined;
  const falling = Number(from) >= Number(to);
  const joint = falling ? (/^で/.test(following(place, 1, 1)) ? "対" : "の") : "から";
  return [`${readNumber(from)}${joint}${readNumber(to)}`];
};

const WHOLE = new RegExp(`^([-+−]?)(${NUMBER})$`);

const numberRule: Rule = (place) => {
  const [, mark = "", amount = ""] = WHOLE.exec(textAt(place, 0)) ?? [];
  return amount === "" ? undefined : [sign(mark) + readNumber(amount)];
};

export const AMOUNT_RULES: readonly Rule[] = [
  phoneRule,
  currencyRule,
  percentRule,
  mixedRule,
  fractionRule,
  rootRule,
  unitRule,
  rangeRule,
  numberRule,
];

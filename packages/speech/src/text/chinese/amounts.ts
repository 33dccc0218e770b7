import { NUMBER } from "../cjk/groups.ts";
import { following, pairs } from "../cjk/phrases.ts";
import { type Rule, textAt } from "../rules/rule.ts";
import { digitByDigit, readNumber } from "./number-words.ts";

const CURRENCIES = pairs(`
  $ 美元 US$ 美元 HK$ 港元 NT$ 新台币 A$ 澳元 C$ 加元 S$ 新加坡元 € 欧元 £ 英镑 ¥ 元 ￥ 元 ₩ 韩元 ₹ 卢比 ₽ 卢布 ฿ 泰铢
  USD 美元 HKD 港元 EUR 欧元 GBP 英镑 JPY 日元 CNY 元 RMB 元 KRW 韩元
`);
const UNITS = pairs(`
  kg 千克 g 克 mg 毫克 μg 微克 t 吨 km 公里 m 米 dm 分米 cm 厘米 mm 毫米 μm 微米 nm 纳米
  km² 平方公里 m² 平方米 cm² 平方厘米 mm² 平方毫米 m³ 立方米 cm³ 立方厘米 ㎡ 平方米 km2 平方公里 m2 平方米 m3 立方米
  l 升 L 升 ml 毫升 mL 毫升 h 小时 min 分钟 s 秒 ms 毫秒 μs 微秒 ns 纳秒
  km/h 公里每小时 m/s 米每秒 °C 摄氏度 ℃ 摄氏度 °F 华氏度 ℉ 华氏度 ° 度
  W 瓦 kW 千瓦 MW 兆瓦 kWh 千瓦时 V 伏 kV 千伏 A 安 mA 毫安 mAh 毫安时 Ω 欧姆 Hz 赫兹 kHz 千赫 MHz 兆赫 GHz 吉赫
  J 焦耳 kJ 千焦 cal 卡 kcal 千卡 Pa 帕 kPa 千帕 hPa 百帕 MPa 兆帕 dB 分贝 px 像素
  KB 千字节 MB 兆字节 GB 吉字节 TB 太字节 Mbps 兆比特每秒 Gbps 吉比特每秒 ft 英尺 in 英寸 lb 磅 oz 盎司
`);
/** Larger numbers that are written after the digits. */
const MULTIPLES = /^(?:[十百千万萬亿億]+)/u;

const SIGNED = new RegExp(`^([-+−]?)(${NUMBER})`);
const sign = (mark: string): string => (mark === "" ? "" : mark === "+" ? "正" : "负");

/** $5, -€3.20, US$1.5万. */
const CURRENCY = new RegExp(`^([-−]?)([A-Z]{0,2}[$€£¥￥₩₹₽฿])(${NUMBER})(?:/([a-zA-Z]{1,3}))?$`);

const currencyRule: Rule = (place) => {
  const [, mark = "", currency = "", amount = "", per] = CURRENCY.exec(textAt(place, 0)) ?? [];
  const name = CURRENCIES.get(currency);
  if (name === undefined) return undefined;
  if (per !== undefined) return [`${sign(mark)}${readNumber(amount)}${name}每${unitName(per) ?? per}`];
  const multiple = MULTIPLES.exec(following(place, 1, 2))?.[0] ?? "";
  const said = sign(mark) + readNumber(amount);
  if (multiple === "") return [said + name];
  return [said, ...[...multiple].map((c, index, all) => (index === all.length - 1 ? c + name : c))];
};

/** 25kg, -5°C, 5 km, 100 USD. */
const unitRule: Rule = (place) => {
  const text = textAt(place, 0);
  const [whole = "", mark = "", amount = ""] = SIGNED.exec(text) ?? [];
  if (amount === "") return undefined;
  const own = text.slice(whole.length);
  const name = unitName(own);
  // A degree is said before the number where it is below zero: 零下五摄氏度.
  const said = sign(mark) + readNumber(amount);
  if (own !== "") return name === undefined ? undefined : [said + name];
  const next = unitName(following(place, 1, 1));
  return next === undefined ? undefined : [said, next];
};

const unitName = (unit: string): string | undefined =>
  // "5KG", but not "5G".
  UNITS.get(unit) ??
  (unit.length > 1 ? UNITS.get(unit.toLowerCase()) : undefined) ??
  CURRENCIES.get(unit.toUpperCase());

/** 50-60%: the sign stands behind the second number. */
const percentRange = (text: string): string | undefined => {
  const [, from = "", to = ""] = PERCENT_RANGE.exec(text) ?? [];
  return from === "" ? undefined : `百分之${readNumber(from)}到${readNumber(to)}`;
};
const PERCENT_RANGE = new RegExp(`^(${NUMBER})[-–~〜～](${NUMBER})%$`, "u");

/** 98%, -6.3%, 5‰, 5%-10%, 50-60%. */
const PERCENT = new RegExp(`^([-+−]?)(${NUMBER})([%‰])$`);

const percentRule: Rule = (place) => {
  const range = percentRange(textAt(place, 0));
  if (range !== undefined) return [range];
  const parts = textAt(place, 0).split(/(?<=[%‰])[-–~〜～](?=\d)/u);
  const said = parts.map((part) => {
    const [, mark = "", amount = "", per = ""] = PERCENT.exec(part) ?? [];
    return amount === "" ? undefined : `${sign(mark)}${per === "%" ? "百分之" : "千分之"}${readNumber(amount)}`;
  });
  return said.includes(undefined) ? undefined : [said.join("到")];
};

/** 1/3 */
const fractionRule: Rule = (place) => {
  const [, mark = "", top = "", bottom = ""] = /^([-−]?)(\d{1,6})\/(\d{1,6})$/.exec(textAt(place, 0)) ?? [];
  if (textAt(place, 0) === "24/7") return ["七乘二十四"];
  return top === "" ? undefined : [`${sign(mark)}${readNumber(bottom)}分之${readNumber(top)}`];
};

/** 010-12345678, 13812345678, 400-800-1234. */
const phoneRule: Rule = (place) => {
  const text = textAt(place, 0);
  const called = /^(?:\+?86-?)?1[3-9]\d(?:\d{8}|-\d{4}-\d{4})$|^0\d{2,3}-\d{7,8}$|^[48]00-\d{3,4}-\d{3,4}$/.test(text);
  return called ? [text.replace("+", "").split("-").map(digitByDigit).join(", ")] : undefined;
};

/** 10-12, 3~5. */
const RANGE = new RegExp(`^(${NUMBER})[-–~](${NUMBER})$`);

const rangeRule: Rule = (place) => {
  const [, from = "", to = ""] = RANGE.exec(textAt(place, 0)) ?? [];
  if (from === "") return undefined;
  // 112-108 is a score.
  return [`${readNumber(from)}${Number(from) > Number(to) ? "比" : "到"}${readNumber(to)}`];
};

export const AMOUNT_RULES: readonly Rule[] = [phoneRule, currencyRule, percentRule, fractionRule, unitRule, rangeRule];

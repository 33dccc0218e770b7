import { groupsOfFour, splitNumber, withoutLeadingZeros } from "../cjk/groups.ts";

const DIGITS = "零一二三四五六七八九";
const GROUPS = ["", "万", "亿", "万亿", "亿亿"];
const PLACES = ["千", "百", "十", ""];

/** Each digit by itself: a year, a telephone number. */
export const digitByDigit = (digits: string): string =>
  [...digits].map((digit) => DIGITS[Number(digit)] ?? "").join("");

/** A whole number: 50010 is 五万零一十. */
export function cardinal(written: string): string {
  const digits = withoutLeadingZeros(written);
  const groups = groupsOfFour(digits, GROUPS);
  if (groups === undefined) return digitByDigit(written);
  let said = "";
  let gap = false;
  for (const { digits: group, name } of groups) {
    if (group === "0000") {
      gap ||= said !== "";
      continue;
    }
    // 零 stands for the zeros between two digits.
    if (said !== "" && (gap || group.startsWith("0"))) said += "零";
    said += leadingTwo(groupWords(group, said === "" || name !== ""), name, said === "") + name;
    gap = false;
  }
  return said === "" ? "零" : said;
}

/** Four digits. 10 to 19 are 十 … 十九 by themselves and before 万 and 亿, and 一十 … after others. */
function groupWords(group: string, short: boolean): string {
  let said = "";
  let zero = false;
  for (const [place, digit] of [...group].entries()) {
    if (digit === "0") {
      zero ||= said !== "";
      continue;
    }
    if (zero) said += "零";
    zero = false;
    said += short && place === 2 && digit === "1" && said === "" ? "十" : (DIGITS[Number(digit)] ?? "") + PLACES[place];
  }
  return said;
}

/** 二 is 两 at the start of a number, before 千, 万 and 亿. */
function leadingTwo(words: string, name: string, first: boolean): string {
  return first && (words.startsWith("二千") || (words === "二" && name !== "")) ? `两${words.slice(1)}` : words;
}

/** A number with commas and decimals, without sign: 1,234.5. */
export function readNumber(written: string): string {
  const [whole, decimals] = splitNumber(written);
  const said = whole.length > 1 && whole.startsWith("0") ? digitByDigit(whole) : cardinal(whole);
  return decimals === "" ? said : `${said}点${digitByDigit(decimals)}`;
}

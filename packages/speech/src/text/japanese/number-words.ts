import { groupsOfFour, splitNumber, withoutLeadingZeros } from "../cjk/groups.ts";

const DIGITS = "零一二三四五六七八九";
const GROUPS = ["", "万", "億", "兆", "京"];
const PLACES = ["千", "百", "十", ""];

/** Each digit by itself: a telephone number, decimals. */
export const digitByDigit = (digits: string, zero = "ゼロ"): string =>
  [...digits].map((digit) => (digit === "0" ? zero : (DIGITS[Number(digit)] ?? ""))).join("");

/** A whole number: 12345 is 一万二千三百四十五. */
export function cardinal(written: string): string {
  const groups = groupsOfFour(withoutLeadingZeros(written), GROUPS);
  if (groups === undefined) return digitByDigit(written);
  const said = groups.map(({ digits, name }) => (digits === "0000" ? "" : groupWords(digits, name !== "") + name));
  return said.join("") || "零";
}

/** Four digits. 一 is left out before 十, 百 and 千; 一千 before 万 and above. */
function groupWords(group: string, named: boolean): string {
  return [...group]
    .map((digit, place) => {
      if (digit === "0") return "";
      const silent = digit === "1" && place < 3 && !(place === 0 && named);
      return (silent ? "" : (DIGITS[Number(digit)] ?? "")) + PLACES[place];
    })
    .join("");
}

/** A number with commas and decimals, without sign: 1,234.5. */
export function readNumber(written: string): string {
  const [whole, decimals] = splitNumber(written);
  const said = whole.length > 1 && whole.startsWith("0") ? digitByDigit(whole) : cardinal(whole);
  return decimals === "" ? said : `${said}点${digitByDigit(decimals, "零")}`;
}

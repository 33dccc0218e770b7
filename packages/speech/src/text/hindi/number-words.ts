/** Numbers in Hindi words. Digits are strings, so that no precision is lost. */

/** Every number below a hundred has a word of its own. */
const BELOW_HUNDRED = `शून्य एक दो तीन चार पाँच छह सात आठ नौ
  दस ग्यारह बारह तेरह चौदह पंद्रह सोलह सत्रह अठारह उन्नीस
  बीस इक्कीस बाईस तेईस चौबीस पच्चीस छब्बीस सत्ताईस अट्ठाईस उनतीस
  तीस इकतीस बत्तीस तैंतीस चौंतीस पैंतीस छत्तीस सैंतीस अड़तीस उनतालीस
  चालीस इकतालीस बयालीस तैंतालीस चौवालीस पैंतालीस छियालीस सैंतालीस अड़तालीस उनचास
  पचास इक्यावन बावन तिरेपन चौवन पचपन छप्पन सत्तावन अट्ठावन उनसठ
  साठ इकसठ बासठ तिरेसठ चौंसठ पैंसठ छियासठ सड़सठ अड़सठ उनहत्तर
  सत्तर इकहत्तर बहत्तर तिहत्तर चौहत्तर पचहत्तर छिहत्तर सतहत्तर अठहत्तर उनासी
  अस्सी इक्यासी बयासी तिरासी चौरासी पचासी छियासी सत्तासी अट्ठासी नवासी
  नब्बे इक्यानबे बानबे तिरानबे चौरानबे पंचानबे छियानबे सत्तानबे अट्ठानबे निन्यानबे`
  .trim()
  .split(/\s+/);
/** Above a thousand each word stands for a hundred times the one before. */
const SCALES = ["हज़ार", "लाख", "करोड़", "अरब", "खरब", "नील", "पद्म", "शंख"];
/** A longer number is only a row of digits to a listener. */
const MAX_DIGITS = 3 + SCALES.length * 2;
const IRREGULAR_ORDINALS: Readonly<Record<string, string>> = { 1: "पहल", 2: "दूसर", 3: "तीसर", 4: "चौथ", 6: "छठ" };

export const belowHundred = (n: number): string => BELOW_HUNDRED[n] ?? "";

/** Each digit by itself: "007" is "शून्य शून्य सात". */
export const digitByDigit = (digits: string): string =>
  [...digits].map((digit) => belowHundred(Number(digit))).join(" ");

function belowThousand(n: number): string {
  if (n < 100) return n === 0 ? "" : belowHundred(n);
  const rest = n % 100;
  return `${belowHundred(Math.floor(n / 100))} सौ${rest === 0 ? "" : ` ${belowHundred(rest)}`}`;
}

export function cardinal(digits: string): string {
  const significant = digits.replace(/^0+(?=\d)/, "");
  if (significant.length > MAX_DIGITS) return digitByDigit(digits);
  if (significant === "0") return belowHundred(0);
  const words: string[] = [];
  let rest = significant.slice(0, -3);
  const small = belowThousand(Number(significant.slice(-3)));
  if (small !== "") words.push(small);
  for (const scale of SCALES) {
    const value = Number(rest.slice(-2));
    if (value > 0) words.unshift(`${belowHundred(value)} ${scale}`);
    rest = rest.slice(0, -2);
  }
  return words.join(" ");
}

/** Years of the second thousand are counted in hundreds: "1999" is "उन्नीस सौ निन्यानबे". */
export function year(digits: string): string {
  if (!/^1[1-9]\d\d$/.test(digits)) return cardinal(digits);
  const rest = Number(digits.slice(2));
  return `${belowHundred(Number(digits.slice(0, 2)))} सौ${rest === 0 ? "" : ` ${belowHundred(rest)}`}`;
}

/** The ordinal with the vowel of its written ending, which says gender and number: "पहली", "छठा", "सोलहवें". */
export function ordinal(digits: string, vowel: string): string {
  const stem = IRREGULAR_ORDINALS[digits.replace(/^0+(?=\d)/, "")];
  if (stem !== undefined) return `${stem}${vowel.replace(/[ंँ]/, "")}`;
  return `${year(digits)}व${vowel}`;
}

const QUARTER = "सवा";
const HALF = "साढ़े";
const THREE_QUARTERS = "पौने";

/** Quarters have words before the number: "1.5" is "डेढ़", "3.5" "साढ़े तीन", "4.25" "सवा चार", "5.75" "पौने छह". */
export function quarters(whole: number, fraction: 25 | 50 | 75): string {
  if (fraction === 50)
    return whole === 0 ? "आधा" : whole === 1 ? "डेढ़" : whole === 2 ? "ढाई" : `${HALF} ${cardinal(String(whole))}`;
  if (fraction === 25) return whole === 0 ? "चौथाई" : whole === 1 ? QUARTER : `${QUARTER} ${cardinal(String(whole))}`;
  return whole === 0 ? "पौन" : `${THREE_QUARTERS} ${cardinal(String(whole + 1))}`;
}

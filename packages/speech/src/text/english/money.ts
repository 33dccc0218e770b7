import type { Token } from "../tokens.ts";
import { cardinal, parseNumber, quantity, type WrittenNumber } from "./number-words.ts";
import { joinedNext, joinedPrevious, type Place, type Rule, textAt, tokenAt } from "./rule.ts";

interface Currency {
  readonly one: string;
  readonly many: string;
  /** The hundredth part, where prices use one. */
  readonly cent?: readonly [one: string, many: string];
}

const CENTS = ["cent", "cents"] as const;
const dollars = (country: string): Currency => ({ one: `${country} dollar`, many: `${country} dollars`, cent: CENTS });
const DOLLAR: Currency = { one: "dollar", many: "dollars", cent: CENTS };
const EURO: Currency = { one: "euro", many: "euros", cent: CENTS };
const POUND: Currency = { one: "pound", many: "pounds", cent: ["penny", "pence"] };
const YEN: Currency = { one: "yen", many: "yen" };
const RUPEE: Currency = { one: "rupee", many: "rupees", cent: ["paisa", "paise"] };

const SIGNS: Readonly<Record<string, Currency>> = {
  $: DOLLAR,
  "€": EURO,
  "£": POUND,
  "¥": YEN,
  "₹": RUPEE,
  "₩": { one: "won", many: "won" },
  "₽": { one: "ruble", many: "rubles" },
  "₺": { one: "lira", many: "lira" },
  "₴": { one: "hryvnia", many: "hryvnias" },
  "₪": { one: "shekel", many: "shekels" },
  "₫": { one: "dong", many: "dong" },
  "₱": { one: "peso", many: "pesos" },
  "฿": { one: "baht", many: "baht" },
  "₦": { one: "naira", many: "naira" },
  "₵": { one: "cedi", many: "cedis" },
  "₡": { one: "colón", many: "colones" },
  "₲": { one: "guaraní", many: "guaraníes" },
  "₸": { one: "tenge", many: "tenge" },
  "₭": { one: "kip", many: "kip" },
  "₮": { one: "tugrik", many: "tugriks" },
  "₼": { one: "manat", many: "manats" },
  "₾": { one: "lari", many: "lari" },
  "₿": { one: "bitcoin", many: "bitcoin" },
  "¢": { one: "cent", many: "cents" },
  US$: dollars("U.S"),
  A$: dollars("Australian"),
  AU$: dollars("Australian"),
  C$: dollars("Canadian"),
  CA$: dollars("Canadian"),
  NZ$: dollars("New Zealand"),
  HK$: dollars("Hong Kong"),
  S$: dollars("Singapore"),
  R$: { one: "real", many: "reais" },
};

const CODES: ReadonlyMap<string, Currency> = new Map(
  Object.entries({
    USD: dollars("U.S"),
    EUR: EURO,
    GBP: POUND,
    JPY: YEN,
    INR: RUPEE,
    Rs: RUPEE,
    CNY: { one: "yuan", many: "yuan" },
    RMB: { one: "yuan", many: "yuan" },
    CHF: { one: "Swiss franc", many: "Swiss francs" },
    CAD: dollars("Canadian"),
    AUD: dollars("Australian"),
    NZD: dollars("New Zealand"),
    HKD: dollars("Hong Kong"),
    SGD: dollars("Singapore"),
    SEK: { one: "Swedish krona", many: "Swedish kronor" },
    NOK: { one: "Norwegian krone", many: "Norwegian kroner" },
    DKK: { one: "Danish krone", many: "Danish kroner" },
    PLN: { one: "zloty", many: "zloty" },
    BRL: { one: "real", many: "reais" },
    MXN: { one: "Mexican peso", many: "Mexican pesos" },
    KRW: { one: "won", many: "won" },
    TWD: dollars("Taiwan"),
    THB: { one: "baht", many: "baht" },
    IDR: { one: "rupiah", many: "rupiah" },
    VND: { one: "dong", many: "dong" },
    ILS: { one: "shekel", many: "shekels" },
    AED: { one: "dirham", many: "dirhams" },
    SAR: { one: "riyal", many: "riyals" },
    NGN: { one: "naira", many: "naira" },
    RUB: { one: "ruble", many: "rubles" },
    UAH: { one: "hryvnia", many: "hryvnias" },
    CZK: { one: "Czech koruna", many: "Czech koruny" },
    HUF: { one: "forint", many: "forints" },
    EGP: { one: "Egyptian pound", many: "Egyptian pounds" },
    ARS: { one: "Argentine peso", many: "Argentine pesos" },
    CLP: { one: "Chilean peso", many: "Chilean pesos" },
    ZAR: { one: "rand", many: "rand" },
    BTC: { one: "bitcoin", many: "bitcoin" },
  }),
);

const SCALES: Readonly<Record<string, string>> = {
  k: "thousand",
  m: "million",
  mn: "million",
  mm: "million",
  b: "billion",
  bn: "billion",
  t: "trillion",
  tn: "trillion",
};
const SCALE_WORDS = /^(?:hundred|thousand|million|billion|trillion|lakh|crore|[mb]n|[kMB])$/i;
const SIGN_CLASS = "(?:US|AU|CA|NZ|HK|[ACSR])?\\$|[€£¥₹₩₽₺₴₪₫₱฿₿₦₵₡₲₸₭₮₼₾]";
const NUMBER_CLASS = "\\d[\\d,]*(?:\\.\\d+)?|\\.\\d+";
const BEFORE = new RegExp(
  `^([-–+~<>]?)(${SIGN_CLASS})(${NUMBER_CLASS})(k|mn?|mm|bn?|tn?)?(?:[-–](${SIGN_CLASS})?(${NUMBER_CLASS})(k|mn?|mm|bn?|tn?)?)?(\\+)?$`,
  "i",
);
const AFTER = new RegExp(`^([-–+]?(?:${NUMBER_CLASS}))(k|mn?|bn?)?([€£¥₹$¢]|USD|EUR|GBP|JPY)$`);
const SIGN = new RegExp(`^[-–]?(?:${SIGN_CLASS})$`, "i");
const GLUED_CODE = /^([A-Z]{3})(\d[\d,]*(?:\.\d+)?)$/;

const PREFIXES: Readonly<Record<string, string>> = {
  "-": "minus ",
  "–": "minus ",
  "+": "plus ",
  "~": "about ",
  "<": "less than ",
  ">": "more than ",
};

const isOne = (number: WrittenNumber): boolean => number.whole === "1" && number.fraction === undefined;

/** "three dollars and fifty cents", "three point five million dollars". */
function amount(place: Place, number: WrittenNumber, currency: Currency, scale: string): string {
  if (scale !== "") return `${quantity(number, place.style)} ${scale} ${currency.many}`;
  if (number.fraction === undefined || currency.cent === undefined || number.fraction.length > 2) {
    return `${quantity(number, place.style)} ${isOne(number) ? currency.one : currency.many}`;
  }
  const sign = number.sign === "" ? "" : `${number.sign} `;
  const whole = `${cardinal(number.whole, place.style)} ${number.whole === "1" ? currency.one : currency.many}`;
  const hundredths = number.fraction.padEnd(2, "0");
  if (hundredths === "00") return sign + whole;
  const cents = `${cardinal(hundredths)} ${currency.cent[hundredths === "01" ? 0 : 1]}`;
  return /^0*$/.test(number.whole) ? sign + cents : `${sign}${whole} and ${cents}`;
}

/** Also "1,50", as much of Europe writes prices. */
const parsePrice = (text: string): WrittenNumber | undefined =>
  parseNumber(text) ?? (/^[-–+]?\d{1,6},\d{2}$/.test(text) ? parseNumber(text.replace(",", ".")) : undefined);

const ARTICLE = /^(?:a|an|the|this|that|his|her|its|their|our|my|your|another)$/i;
const NOT_A_NOUN =
  /^(?:in|of|for|to|on|and|or|from|by|at|was|were|is|are|has|had|last|this|that|more|less|each|a|an|the|per|over|than|worth|as|with|but|if|when|which|it|he|she|they|we|you|i|will|would|could|into|out|up|off|today|now)$/i;

/** Whether an amount is used as an adjective: "a $5 million deal" is a "five million dollar deal". */
function describes(place: Place, last: number): boolean {
  const next = joinedNext(place, last);
  return ARTICLE.test(joinedPrevious(place)) && /^[a-z]{3,}/.test(next) && !NOT_A_NOUN.test(next);
}

/** "$ 5" is one amount. */
export const joinSign = (left: Token, right: Token): string | undefined =>
  SIGN.test(left.text) && /^\d[\d.,]*$/.test(right.text) ? left.text + right.text : undefined;

/** "$5", "$3.5 million", "$5-10 million", "-€2.50", "$-5", "£1.50p", "$20k+". */
const signBefore: Rule = (place) => {
  const match = BEFORE.exec(
    textAt(place, 0)
      .replace(/^(\D{1,3})[-–](?=\d)/, "-$1")
      .replace(/^(£.*\d)p$/, "$1"),
  );
  if (match === null) return undefined;
  const [, lead = "", sign = "", first = "", firstScale = "", again, second, secondScale = "", plus] = match;
  const currency = SIGNS[sign.toUpperCase()] ?? DOLLAR;
  const from = parsePrice(first);
  const to = second === undefined ? undefined : parsePrice(second);
  if (from === undefined || (second !== undefined && to === undefined)) return undefined;
  const prefix = PREFIXES[lead] ?? "";
  const suffix = plus === undefined ? "" : " plus";
  const gluedScale = SCALES[(secondScale || firstScale).toLowerCase()] ?? "";
  const firstName = SCALES[firstScale.toLowerCase()] ?? "";
  const next = joinedNext(place);
  const isScaled = gluedScale === "" && suffix === "" && SCALE_WORDS.test(next);
  // "$5-$10 million" are dollars once.
  const low =
    again === undefined || firstName !== "" || isScaled
      ? `${quantity(from, place.style)}${firstName === "" ? "" : ` ${firstName}`}`
      : amount(place, from, currency, firstName);
  const start = to === undefined ? "" : `${low} to `;
  if (isScaled) {
    const scale = SCALES[next.toLowerCase()] ?? next;
    return [
      `${prefix}${start}${quantity(to ?? from, place.style)}`,
      `${scale} ${describes(place, 1) ? currency.one : currency.many}`,
    ];
  }
  const said = amount(place, to ?? from, currency, gluedScale);
  const whole =
    suffix === "" && describes(place, 0) && said.endsWith(` ${currency.many}`) && (to ?? from).fraction === undefined;
  return [`${prefix}${start}${whole ? said.slice(0, -currency.many.length) + currency.one : said}${suffix}`];
};

/** "5€", "99¢", "5 USD", "20 EUR". */
const signAfter: Rule = (place) => {
  const text = textAt(place, 0);
  const match = AFTER.exec(text);
  if (match !== null) {
    const number = parsePrice(match[1] ?? "");
    const currency = SIGNS[match[3] ?? ""] ?? CODES.get(match[3] ?? "");
    if (number === undefined || currency === undefined) return undefined;
    return [amount(place, number, currency, SCALES[match[2] ?? ""] ?? "")];
  }
  const number = parseNumber(text);
  const next = joinedNext(place);
  const [, scale = "", sign = ""] = /^(k|mn?|bn?)?(\p{Sc})$/iu.exec(next) ?? [];
  const currency = CODES.get(next) ?? SIGNS[sign];
  if (number === undefined || currency === undefined) return undefined;
  // "5 k€".
  if (scale !== "") return [quantity(number, place.style), `${SCALES[scale.toLowerCase()] ?? ""} ${currency.many}`];
  const said = amount(place, number, currency, "");
  const name = isOne(number) ? currency.one : currency.many;
  return said.endsWith(` ${name}`) ? [said.slice(0, -name.length - 1), name] : [said, ""];
};

/** "USD 5", "EUR100". */
const codeBefore: Rule = (place) => {
  const text = textAt(place, 0);
  const glued = GLUED_CODE.exec(text);
  const rupees = /^Rs$/i.test(text) && tokenAt(place, 0)?.after === "." ? textAt(place, 1) : undefined;
  const currency = CODES.get(glued?.[1] ?? text);
  if (currency === undefined) return undefined;
  const number = parseNumber(rupees ?? glued?.[2] ?? joinedNext(place));
  if (number === undefined)
    return /\d$/.test(joinedPrevious(place)) || SCALE_WORDS.test(joinedPrevious(place)) ? [currency.many] : undefined;
  const said = amount(place, number, currency, "");
  return glued === null ? ["", said] : [said];
};

export const MONEY_RULES: readonly Rule[] = [signBefore, signAfter, codeBefore];

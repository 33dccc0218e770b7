import { type Rule, table, textAt, wordSet } from "../rules/rule.ts";
import { letterNames, WEB_WORDS } from "./letters.ts";
import { digitByDigit } from "./number-words.ts";

const SIGNS: Readonly<Record<string, string>> = {
  ".": "डॉट",
  "/": "फॉरवर्ड स्लैश",
  "\\": "बैकवर्ड स्लैश",
  "-": "हाइफ़न",
  _: "अंडरस्कोर",
  "@": "एट",
  ":": "कोलन",
  "#": "हैश",
  "~": "टिल्ड",
  "+": "प्लस",
  "=": "बराबर",
  "&": "एंड",
  "?": "क्वेश्चन मार्क",
  "%": "प्रतिशत",
};
const DOMAINS = wordSet(
  `com org net in io ai dev app co uk us gov edu mil info me tv ac nic biz eu xyz tech online store site`,
);
const EXTENSIONS =
  wordSet(`pdf txt js ts py md json yaml yml exe zip png jpg jpeg gif svg mp3 mp4 wav csv xml html htm php css
  doc docx xls xlsx ppt pptx log apk`);
const SCHEME = /^[a-z][a-z0-9+.-]{1,10}:\/\//i;
const EMAIL = /^[a-z\d._%+-]+@[a-z\d-]+(?:\.[a-z\d-]+)+$/i;
const DOMAIN = /^[a-z\d][a-z\d-]*(?:\.[a-z\d-]+)+(?::\d+)?(?:[/?#].*)?$/i;
const IP_ADDRESS = /^\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?$/;
const PATH = /^(?:(?:~|\.{1,2})?\/[\w.-]+(?:\/[\w.-]*)*|[A-Za-z]:\\.*)$/;
const HANDLE = /^[@#][A-Za-z\d_.]+$/;

/** Known words as words, other letters by their names, digits one by one, and the name of each sign. */
export function readAddress(text: string): string {
  return (text.match(/[A-Za-z]+|\d+|[^A-Za-z\d]/g) ?? [])
    .map((part) => {
      if (/^\d/.test(part)) return digitByDigit(part);
      if (/^[A-Za-z]/.test(part)) return WEB_WORDS.get(part.toLowerCase()) ?? letterNames(part);
      return SIGNS[part] ?? "";
    })
    .filter((said) => said !== "")
    .join(" ");
}

const lastLabel = (text: string): string =>
  text
    .replace(/[:/?#].*$/, "")
    .split(".")
    .at(-1)
    ?.toLowerCase() ?? "";

const address: Rule = (place) => {
  const text = textAt(place, 0);
  const known =
    EMAIL.test(text) ||
    SCHEME.test(text) ||
    /^www\./i.test(text) ||
    IP_ADDRESS.test(text) ||
    PATH.test(text) ||
    HANDLE.test(text) ||
    (DOMAIN.test(text) && !/^\d+\./.test(text) && (DOMAINS.has(lastLabel(text)) || EXTENSIONS.has(lastLabel(text))));
  return known ? [readAddress(text)] : undefined;
};

/** Initials in Latin letters that Hindi says as a word. */
const SAID_AS_WORDS = table(`
  NASA: नासा
  ISRO: इसरो
  NATO: नाटो
  COVID: कोविड
  UNESCO: यूनेस्को
  UNICEF: यूनिसेफ
  FIFA: फीफा
  SAARC: सार्क
  AIDS: एड्स
  OK: ओके
  SIM: सिम
  PIN: पिन`);

/** "BJP" is "बी जे पी". */
const initials: Rule = (place) => {
  const text = textAt(place, 0);
  return /^[A-Z]{1,6}$/.test(text) ? [SAID_AS_WORDS.get(text) ?? letterNames(text)] : undefined;
};

export const WEB_RULES: readonly Rule[] = [address];
export const INITIAL_RULES: readonly Rule[] = [initials];

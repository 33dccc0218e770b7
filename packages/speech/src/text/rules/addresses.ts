import type { AddressWords, NumberWords } from "./grammar.ts";
import { type Rule, table, textAt, wordSet } from "./rule.ts";
import { spellLetters } from "./spelling.ts";

const DOMAINS =
  wordSet(`com org net io ai dev app co uk de fr es it gov gob edu mil info me tv us ca eu in jp cn br au nl ch se
  no dk fi pl pt be at ie nz za mx ar cl pe uy ve ec xyz gg fm ly tech cloud online store site news blog sh so to cat`);
const EXTENSIONS = wordSet(`pdf txt js ts py md json yaml yml exe zip png jpg jpeg gif svg mp3 mp4 wav csv xml html htm
  css doc docx xls xlsx ppt pptx sh sql log`);
const SCHEME = /^[a-z][a-z0-9+.-]{1,10}:\/\//i;
const EMAIL = /^[\p{L}\d._%+-]+@[\p{L}\d-]+(?:\.[\p{L}\d-]+)+$/u;
const BARE_DOMAIN = /^[\p{L}\d][\p{L}\d-]*(?:\.[\p{L}\d&-]+)+(?::\d+)?(?:[/?#].*)?$/u;
const FILE = /^[\p{L}\d_-]*(?:\.[\p{L}\d_-]+)*\.([\p{L}\d]+)$/u;

const COMMON_PARTS = table(`
  www: W.W.W
  com: com
  org: org
  net: net
  io: I.O
  app: app
  gmail: gmail
  nvidia: nvidia
  https: H.T.T.P.S
  http: H.T.T.P`);

/** The parts of addresses that several languages say alike, and the lines of one language. */
export function addressParts(lines: string): ReadonlyMap<string, string> {
  return new Map([...COMMON_PARTS, ...table(lines)]);
}

/** Longer addresses are not spoken in full. */
const LONGEST_SPOKEN = 200;

const lastLabel = (text: string): string =>
  /\.(\p{L}+)(?::\d+)?$/u.exec(text.replace(/[/?#].*$/, ""))?.[1]?.toLowerCase() ?? "";

/** "192.168.0.1": digit by digit, and "192.168.0.1:8080". */
export function networkAddressRules(words: AddressWords, numbers: NumberWords): Rule[] {
  const rule: Rule = (place) => {
    const [address = "", port, ...more] = textAt(place, 0).split(":");
    const parts = address.split(".");
    if (more.length > 0 || !/^\d{0,5}$/.test(port ?? "")) return undefined;
    if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255)) return undefined;
    // "2.000.000.000" is a number.
    if (numbers.decimalMark === "," && parts.slice(1).every((part) => part.length === 3)) return undefined;
    const said = parts.map(numbers.digits).join(` ${words.signs["."] ?? ""} `);
    return [port === undefined ? said : `${said} ${words.signs[":"] ?? ""} ${numbers.cardinal(port)}`];
  };
  return [rule];
}

/** The words of all parts of an address: runs of letters, runs of digits, single signs. Signs without a name are left out. */
export function readParts(text: string, readPart: (part: string) => string): string {
  const words: string[] = [];
  let length = 0;
  for (const [part] of text.matchAll(/\p{L}[\p{L}\p{M}']*|\d+|[^\p{L}\d]/gu)) {
    const spoken = readPart(part);
    if (spoken === "") continue;
    length += spoken.length + 1;
    if (length > LONGEST_SPOKEN) break;
    words.push(spoken);
  }
  return words.join(" ");
}

/** E-mail and web addresses, file names, "@name" and "#topic", sign by sign. */
export function addressRules(words: AddressWords, numbers: NumberWords): Rule[] {
  const readPart = (part: string): string => {
    if (/^\d/.test(part)) return numbers.digits(part);
    if (!/^\p{L}/u.test(part)) return words.signs[part] ?? "";
    const known = words.parts.get(part.toLowerCase());
    if (known !== undefined) return known;
    return words.pronounceable(part) ? part.toLowerCase() : spellLetters(part);
  };
  const read = (text: string): string => readParts(text, readPart);

  const address: Rule = (place) => {
    const text = textAt(place, 0);
    const mail = text.replace(/^mailto:/i, "");
    if (EMAIL.test(mail)) return [read(mail)];
    const web = SCHEME.test(text) || /^www\./i.test(text) || (BARE_DOMAIN.test(text) && DOMAINS.has(lastLabel(text)));
    const file = EXTENSIONS.has(FILE.exec(text)?.[1]?.toLowerCase() ?? "") && /\p{L}/u.test(text);
    return web || file ? [read(text.replace(/\/+$/, ""))] : undefined;
  };
  const tag: Rule = (place) => {
    const [, sign, name = ""] = /^([#@])([\p{L}\d_][\p{L}\d_.-]*)$/u.exec(textAt(place, 0)) ?? [];
    if (sign === undefined || (sign === "#" && /^\d+$/.test(name))) return undefined;
    return [`${sign === "#" ? words.hashtag : (words.signs["@"] ?? "")} ${read(name.replaceAll("_", " "))}`];
  };
  return [address, tag];
}

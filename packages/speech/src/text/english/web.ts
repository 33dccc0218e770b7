import { readParts } from "../rules/addresses.ts";
import { ACRONYMS } from "./initialism-names.ts";
import { splitCamelCase } from "./initialisms.ts";
import { cardinal, digitByDigit, year } from "./number-words.ts";
import { type Rule, table, textAt, wordSet } from "./rule.ts";
import { isPronounceable, spell } from "./spelling.ts";

const DOMAINS =
  wordSet(`com org net io ai dev app co uk de fr es it gov edu mil info me tv us ca eu in jp cn br au nl ch se
  no dk fi pl pt be at ie nz za xyz gg fm ly tech cloud online store site news blog sh so to`);
const SCHEME = /^(?:[a-z][a-z0-9+.-]{1,10}:\/\/|mailto:)/i;
const EMAIL = /^[\p{L}\d._%+&-]+@[\p{L}\d-]+(?:\.[\p{L}\d-]+)+(?:\/.*)?$/u;
const BARE_DOMAIN = /^[\p{L}\d][\p{L}\d-]*(?:\.[\p{L}\d-]+)+(?::\d+)?(?:[/?#].*)?$/u;

const SIGNS: Readonly<Record<string, string>> = {
  ".": "dot",
  "/": "slash",
  "\\": "backslash",
  "-": "dash",
  _: "underscore",
  "@": "at",
  ":": "colon",
  "~": "tilde",
  "+": "plus",
  "=": "equals",
  "&": "ampersand",
  "?": "question mark",
  "#": "hash",
  "%": "percent",
};

/** Parts of addresses and file names with a special spoken form. */
const PARTS = table(`
  www: W.W.W
  com: com
  org: org
  net: net
  gov: gov
  edu: E.D.U
  io: I.O
  ai: A.I
  co: co
  uk: U.K
  us: U.S
  eu: E.U
  tv: T.V
  me: me
  js: J.S
  jsx: J.S.X
  ts: T.S
  tsx: T.S.X
  py: pie
  md: M.D
  rb: R.B
  txt: T.X.T
  json: jay-sahn
  yaml: yammel
  yml: yammel
  toml: tommel
  exe: E.X.E
  jpeg: jay-peg
  gif: gif
  zip: zip
  api: A.P.I
  url: U.R.L
  faq: F.A.Q
  ui: U.I
  usr: user
  etc: E.T.C
  env: env
  gmail: gee-mail
  github: git-hub
  gitlab: git-lab
  youtube: youtube
  linkedin: linked-in
  wikipedia: wikipedia
  openai: open A.I
  localhost: local-host`);

/** "example.com/docs" is "example dot com slash docs". */
export function readAddress(text: string): string {
  return readParts(text, readPart);
}

function readPart(part: string): string {
  if (/^\d+$/.test(part)) {
    return part.length === 4 && !part.startsWith("0") ? year(part) : digitByDigit(part);
  }
  if (!/^\p{L}/u.test(part)) return SIGNS[part] ?? "";
  return PARTS.get(part.toLowerCase()) ?? splitCamelCase(part).map(wordOrLetters).join(" ");
}

/** A word where letters look like one, letter names otherwise. */
export function wordOrLetters(part: string): string {
  if (part.length === 1) return spell(part);
  const known = PARTS.get(part.toLowerCase()) ?? ACRONYMS.get(part.toUpperCase());
  if (known !== undefined) return known;
  const word = /^[a-z]+$/.test(part) ? /[aeiouy]/.test(part) : isPronounceable(part);
  return !word && part.length <= 6 && /^[a-z]+$/i.test(part) ? spell(part) : part.toLowerCase();
}

const lastLabel = (text: string): string =>
  /\.([a-z]+)(?:[:/?#].*)?$/i.exec(text.replace(/[/?#].*$/, ""))?.[1]?.toLowerCase() ?? "";

const address: Rule = (place) => {
  const text = textAt(place, 0);
  if (EMAIL.test(text)) return [readAddress(text)];
  const web =
    SCHEME.test(text) ||
    /^www\./i.test(text) ||
    (BARE_DOMAIN.test(text) && DOMAINS.has(lastLabel(text)) && !/^\d+\./.test(text));
  if (!web) return undefined;
  // The start of a web address is not read.
  const bare = text
    .replace(/^(?:https?:\/\/|mailto:)/i, "")
    .replace(/^www\./i, "")
    .replace(/\/+$/, "");
  return [readAddress(bare)];
};

/** "#FF8800", "0x1F": digits and letters one by one. */
const hexadecimal: Rule = (place) => {
  const [, mark = "", digits = ""] =
    /^(#|0x)(?=\d*[a-f])([\da-f]{6}|[\da-f]{3}|(?<=0x)[\da-f]{1,16})$/i.exec(textAt(place, 0)) ?? [];
  if (digits === "" || (mark === "#" && !/\d/.test(digits))) return undefined;
  const said = [...digits].map((digit) => (/\d/.test(digit) ? digitByDigit(digit) : spell(digit)));
  return [`${mark === "#" ? "hash" : "zero X"} ${said.join(" ")}`];
};

/** "r/books" and "u/name". */
const community: Rule = (place) => {
  const [, kind = "", name = ""] = /^([ru])\/([\p{L}\d_]{2,40})$/u.exec(textAt(place, 0)) ?? [];
  return name === "" ? undefined : [`${spell(kind)} slash ${readAddress(name.replaceAll("_", " "))}`];
};

/** "#A1B2-7788": an order, not a topic. */
const orderNumber: Rule = (place) => {
  const match = /^#(?=[A-Z-]*\d)([A-Z\d-]+)$/.exec(textAt(place, 0));
  return match === null ? undefined : [`number ${readAddress((match[1] ?? "").replaceAll("-", " "))}`];
};

/** "#BuildInPublic" is "hashtag build in public"; "@jane_doe" is "at jane doe". */
const tag: Rule = (place) => {
  const match = /^([#@])([\p{L}\d_][\p{L}\d_.-]*)$/u.exec(textAt(place, 0));
  if (match === null || /^#\d+$/.test(match[0])) return undefined;
  const name = (match[2] ?? "").replaceAll("_", " ");
  if (/^\d{1,2}$/.test(name)) return [`at ${cardinal(name)}`];
  return [`${match[1] === "#" ? "hashtag" : "at"} ${readAddress(name)}`];
};

/** "/usr/bin", "~/notes", "./run.sh", "C:\Users". */
const path: Rule = (place) => {
  const text = textAt(place, 0);
  return /^(?:\.{0,2}|~)\/[\w.-]+(?:\/|\.\w+$|[\w.-]*$)/.test(text) || /^[A-Za-z]:\\/.test(text)
    ? [readAddress(text.replace(/\/+$/, ""))]
    : undefined;
};

const EXTENSIONS =
  wordSet(`pdf txt js jsx ts tsx py rb md json yaml yml toml exe zip png jpg jpeg gif svg mp3 mp4 wav csv xml
  html htm css doc docx xls xlsx ppt pptx sh go rs java cpp c h hpp sql log conf cfg ini env lock gz tar net`);

/** "report.pdf", "Node.js", ".env", "ASP.NET". */
const fileName: Rule = (place) => {
  const match = /^[\p{L}\d_-]*(?:\.[\p{L}\d_-]+)*\.([\p{L}\d]+)$/u.exec(textAt(place, 0));
  return match !== null && EXTENSIONS.has((match[1] ?? "").toLowerCase()) && /\p{L}/u.test(match[0])
    ? [readAddress(match[0])]
    : undefined;
};

export const WEB_RULES: readonly Rule[] = [address, hexadecimal, community, orderNumber, tag, path, fileName];

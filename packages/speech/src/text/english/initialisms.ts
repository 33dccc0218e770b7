import { ACRONYMS, CAPITAL_WORDS, SPELLED } from "./initialism-names.ts";
import { type Rule, textAt } from "./rule.ts";
import { isPronounceable, spell, spellWithEnding } from "./spelling.ts";

const DOTTED = /^\p{L}(?:\.\p{L})+$/u;
const CAPITALS = /^(\p{Lu}{2,})('?s|')?$/u;
/** Longer words in capitals are emphasized words, not initialisms. */
const LONGEST_INITIALISM = 5;

/** "U.S", "J.R.R": letters with dots between (the last dot is punctuation by now). */
const dotted: Rule = (place) => {
  const [, letters = "", ending] = /^(.*?)\.?('s)?$/u.exec(textAt(place, 0)) ?? [];
  if (!DOTTED.test(letters)) return undefined;
  return [ending === undefined ? spell(letters) : spellWithEnding(letters.replaceAll(".", ""))];
};

const isCapitals = (text: string): boolean => /^\p{Lu}{2,}$/u.test(text);

/** Whether the context is in capitals, so that capitals have no meaning: "BREAKING NEWS". */
const shouted = (place: Parameters<Rule>[0]): boolean => isCapitals(textAt(place, -1)) || isCapitals(textAt(place, 1));

const capitals: Rule = (place) => {
  const [, letters = "", ending = ""] = CAPITALS.exec(textAt(place, 0)) ?? [];
  if (letters === "") return undefined;
  const acronym = ACRONYMS.get(letters);
  const suffix = ending === "" || ending === "'" ? "" : "'s";
  if (acronym !== undefined) return [`${acronym}${suffix === "" ? "" : ending === "s" ? plural(acronym) : suffix}`];
  return [
    isSpelled(letters, shouted(place))
      ? suffix === ""
        ? spell(letters)
        : spellWithEnding(letters)
      : letters.toLowerCase() + ending,
  ];
};

const plural = (word: string): string => (/(?:s|x|ch|sh)$/.test(word) ? "es" : "s");

function isSpelled(letters: string, inCapitals: boolean): boolean {
  if (SPELLED.has(letters)) return true;
  if (CAPITAL_WORDS.has(letters)) return false;
  if (!isPronounceable(letters)) return letters.length <= LONGEST_INITIALISM + 1 || !/[AEIOUY]/i.test(letters);
  return letters.length <= 3 && !inCapitals;
}

const MIXED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    iOS: "I.O.S",
    iPadOS: "eye pad O.S",
    macOS: "mac O.S",
    IoT: "I.O.T",
    mRNA: "M R.N.A",
    eBay: "ee-bay",
    pH: "P.H",
    kW: "kilowatt",
    LaTeX: "lay-tek",
    WiFi: "wi-fi",
    SaaS: "sass",
    PaaS: "pass",
    IaaS: "eye-ass",
    YouTube: "youtube",
    GitHub: "git-hub",
    LinkedIn: "linked-in",
    OpenAI: "open A.I",
    ChatGPT: "chat G.P.T",
    PyTorch: "pie-torch",
    NumPy: "num-pie",
    nginx: "engine X",
    kubectl: "cube control",
    sudo: "sue-doo",
    vim: "vim",
    PostgreSQL: "post-gres Q.L",
    MySQL: "my S.Q.L",
    SQLite: "S.Q light",
    GitLab: "git-lab",
    DevOps: "dev-ops",
    FinTech: "fin-tech",
    eSIM: "E sim",
    PlayStation: "play-station",
    JavaScript: "java-script",
    TypeScript: "type-script",
    WordPress: "word-press",
    PayPal: "pay-pal",
    FaceTime: "face-time",
    MacBook: "mac-book",
    k8s: "kubernetes",
    BBQ: "barbecue",
    TikTok: "tick-tock",
    WhatsApp: "whats-app",
    iPhone: "eye-phone",
    iPad: "eye-pad",
    iMac: "eye-mac",
    iCloud: "eye-cloud",
    iTunes: "eye-tunes",
  }),
);

/** Names with capitals inside. Other words are split where a capital follows a small letter, as espeak does. */
const mixed: Rule = (place) => {
  const [, name = "", ending = ""] = /^(.*?)('?s)?$/.exec(textAt(place, 0)) ?? [];
  const whole = MIXED.get(textAt(place, 0));
  if (whole !== undefined) return [whole];
  const known = MIXED.get(name);
  if (known !== undefined) return [`${known}${ending}`];
  const text = textAt(place, 0);
  if (
    !/^\p{L}+(?:'s)?$/u.test(text) ||
    !/\p{Ll}\p{Lu}/u.test(text) ||
    /^(?:Mc|Mac|De|Di|La|Le|Van|O')\p{Lu}/u.test(text)
  )
    return undefined;
  return [
    splitCamelCase(text)
      .map((part) => (CAPITALS.test(part) ? spell(part.replace(/'?s$/, "")) : part))
      .join(" "),
  ];
};

/** "parseHTTPBody" is "parse", "HTTP", "Body". Syllables such as those of "NeMo" are no words. */
export function splitCamelCase(text: string): string[] {
  if (/^(?:\p{Lu}\p{Ll}){2,}$/u.test(text)) return [text];
  return text
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .split(" ");
}

/** A letter that is a name: "vitamin A is", "group I and II" is left to the numerals. */
const letterName: Rule = (place) =>
  textAt(place, 0) === "A" &&
  /^(?:vitamin|plan|group|grade|section|type|class|category|hepatitis|appendix|option|exhibit|team|point|letter|side|series|level)$/i.test(
    textAt(place, -1),
  )
    ? ["eigh"]
    : undefined;

export const INITIALISM_RULES: readonly Rule[] = [dotted, mixed, capitals, letterName];

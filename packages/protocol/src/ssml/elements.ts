import { readLanguage, readRate, readStrength, readTime, readVolume, type SsmlDelivery } from "./delivery.ts";

/** The attributes of an element, by name. */
export type Attributes = Readonly<Record<string, string>>;

/** What an element does with its content. */
export interface ElementEffect {
  readonly delivery: SsmlDelivery;
  /** Its text is said, named character by character, or not said. */
  readonly content: "said" | "spelled" | "silent";
  /** Said in place of its content. */
  readonly instead?: { readonly text: string } | { readonly phonemes: string };
  /** Seconds of silence. */
  readonly pause?: number;
  /** Its content is a sentence or a paragraph of its own. */
  readonly unit?: "sentence" | "paragraph";
  /** Attributes without effect; `*` is the element itself. */
  readonly ignored: readonly string[];
}

type Element = (attributes: Attributes, outer: SsmlDelivery) => ElementEffect;

/** Read as the text around them: numbers, dates and the like are recognized there. */
const AS_WRITTEN = new Set(
  "cardinal number date time telephone currency unit address name net digits characters spell-out verbatim".split(" "),
);
const SPELLED = new Set("digits characters spell-out verbatim".split(" "));
const IPA = /^[\p{Ll}\p{Lm}\p{Lo}\p{M}ˈˌːˑ.‿ |ʼ˞↗↘]{1,180}$/u;
const ARPABET = /^[A-Za-z0-2 ]{1,180}$/;

const plain = (outer: SsmlDelivery): ElementEffect => ({ delivery: outer, content: "said", ignored: [] });

const inLanguage: Element = ({ "xml:lang": tag }, outer) => {
  if (tag === undefined) return plain(outer);
  const language = readLanguage(tag.trim());
  if (language === undefined) return { ...plain(outer), ignored: ["xml:lang"] };
  return { ...plain(outer), delivery: { ...outer, language } };
};

const ELEMENTS: Readonly<Record<string, { readonly attributes: readonly string[]; readonly read: Element }>> = {
  speak: { attributes: ["xml:lang", "version"], read: inLanguage },
  p: { attributes: ["xml:lang"], read: (given, outer) => ({ ...inLanguage(given, outer), unit: "paragraph" }) },
  s: { attributes: ["xml:lang"], read: (given, outer) => ({ ...inLanguage(given, outer), unit: "sentence" }) },
  lang: { attributes: ["xml:lang", "onlangfailure"], read: inLanguage },
  voice: {
    attributes: ["name", "xml:lang"],
    read(given, outer) {
      const [name] = (given.name ?? "").trim().split(/\s+/);
      const effect = inLanguage(given, outer);
      if (name === undefined || name === "") return { ...effect, ignored: [...effect.ignored, "*"] };
      return { ...effect, delivery: { ...effect.delivery, voice: name } };
    },
  },
  break: {
    attributes: ["time", "strength"],
    read({ time, strength }, outer) {
      const seconds = time === undefined ? readStrength(strength ?? "medium") : readTime(time.trim());
      if (seconds !== undefined) return { ...plain(outer), pause: seconds };
      return { ...plain(outer), pause: 0.5, ignored: [time === undefined ? "strength" : "time"] };
    },
  },
  prosody: {
    attributes: ["rate", "volume"],
    read({ rate, volume }, outer) {
      const speed = rate === undefined ? outer.speed : readRate(rate.trim(), outer.speed);
      const level = volume === undefined ? outer.volume : readVolume(volume.trim(), outer.volume);
      const ignored = [...(speed === undefined ? ["rate"] : []), ...(level === undefined ? ["volume"] : [])];
      const delivery = { ...outer, speed: speed ?? outer.speed, volume: level ?? outer.volume };
      return { ...plain(outer), delivery, ignored };
    },
  },
  phoneme: {
    attributes: ["alphabet", "ph"],
    read({ alphabet = "ipa", ph = "" }, outer) {
      const given = ph.trim();
      const isArpabet = /arpabet$/i.test(alphabet);
      if (!isArpabet && alphabet !== "ipa") return { ...plain(outer), ignored: ["alphabet"] };
      if (!(isArpabet ? ARPABET : IPA).test(given)) return { ...plain(outer), ignored: ["ph"] };
      return { ...plain(outer), content: "silent", instead: { phonemes: given } };
    },
  },
  "say-as": {
    attributes: ["interpret-as", "format", "detail"],
    read({ "interpret-as": kind = "" }, outer) {
      if (!AS_WRITTEN.has(kind)) return { ...plain(outer), ignored: ["interpret-as"] };
      return SPELLED.has(kind) ? { ...plain(outer), content: "spelled" } : plain(outer);
    },
  },
  sub: {
    attributes: ["alias"],
    read({ alias }, outer) {
      if (alias === undefined) return { ...plain(outer), ignored: ["alias"] };
      return { ...plain(outer), content: "silent", instead: { text: alias } };
    },
  },
};

/** Their content is not meant to be said. */
const SILENT = new Set(["desc", "metadata", "meta", "lexicon"]);

/** What an element does. One that is not known is left out, and its content is said. */
export function elementEffect(name: string, given: Attributes, outer: SsmlDelivery): ElementEffect {
  const element = Object.hasOwn(ELEMENTS, name) ? ELEMENTS[name] : undefined;
  if (element === undefined) return { ...plain(outer), content: SILENT.has(name) ? "silent" : "said", ignored: ["*"] };
  const effect = element.read(given, outer);
  const unknown = Object.keys(given).filter((each) => !element.attributes.includes(each) && !/^(?:xml|xsi)/.test(each));
  return { ...effect, ignored: [...effect.ignored, ...unknown] };
}

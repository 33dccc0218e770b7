import type { RecognizedWord } from "../../recognizer.ts";
import { aligned, hasSameConsonant, type Step, type Unit } from "./align.ts";
import { type Lexicon, wordWith } from "./lexicon.ts";
import { arabicSounds, devanagariSounds, inDevanagari, latinSounds } from "./sounds.ts";
import { type OtherWord, spell } from "./spell.ts";
import { type StepCosts, stepCosts } from "./step-costs.ts";
import { isMisheard, KEPT } from "./unlike.ts";

/** With a higher cost of each sound, the two texts are not of the same speech. */
const MAX_COST = 1.2;
/** Of a word that is not in the lexicon, and of each of its sounds. In Latin letters it may be a name, which stays. */
const OTHER = { word: 4, sound: 0.8 };
const LATIN = { word: 2.5, sound: 0.2 };
/** Of a word of the Hindi text that has the consonants of Urdu, and of each of its sounds: another one must be more like both texts. */
const AGREED = { word: 6, sound: 0.3 };
/** Of such a word that is in the lexicon: Urdu leaves out vowels of names, which is no evidence for other words. */
const AGREED_KNOWN = { word: 3, sound: 0 };
/** Shorter words have the same consonants by chance. */
const MIN_AGREED = 5;

const LATIN_WORD = /^\p{Script=Latin}+$/u;
const DEVANAGARI_WORD = /^\p{Script=Devanagari}+$/u;
const count = (text: string, letters: RegExp): number => text.match(letters)?.length ?? 0;
const arabicLetters = /\p{Script=Arabic}/gu;

/** Whether a text is mostly in Devanagari, if it is in either script. */
export const isDevanagari = (text: string): boolean =>
  count(text, /\p{Script=Devanagari}/gu) > count(text, arabicLetters);

/**
 * The words of speech that was decoded as Hindi and as Urdu. Whisper has learned nine times as much Urdu, and hears consonants
 * better in it, but Arabic letters write no short vowels. Smaller models write hardly any Devanagari: then there are two texts in
 * Arabic letters, or the Hindi one is in Latin letters. The words are those of a lexicon that are most like both texts. Keywords
 * are spelled as they were given.
 */
export function spellHindi(
  hindi: readonly RecognizedWord[],
  urdu: readonly RecognizedWord[],
  lexicon: Lexicon,
  keywords: readonly string[] = [],
): readonly RecognizedWord[] {
  if (!urdu.some(({ text }) => count(text, arabicLetters) > 0)) return hindi;
  const hasHindi = isDevanagari(hindi.map(({ text }) => text).join(""));
  const words = hasHindi ? hindi : urdu;
  const kept = new Set(keywords.flatMap((keyword) => keyword.split(/\s+/)));
  const heard = unitsOf(urdu, !hasHindi);
  const written = unitsOf(hindi, hasHindi);
  const both = aligned(written, heard);
  const isAlike = both !== undefined && both.cost <= MAX_COST * written.length;
  if (hasHindi && !isAlike) return hindi;
  const steps: readonly Step[] = isAlike ? both.steps : heard.map((unit) => ({ urdu: unit }));
  const mainUnit = ({ hindi, urdu }: Step): Unit | undefined => (hasHindi ? hindi : urdu);
  const costs = stepCosts(hasHindi ? "Devanagari" : isAlike ? "Arabic" : "none");
  const spelled = spell(steps, lexicon, otherWords(costs), costs);
  return withTimes();

  /** The words as they are in the main text. */
  function otherWords({ deleted }: StepCosts): OtherWord[] {
    const others: OtherWord[] = [];
    for (const [at, step] of steps.entries()) {
      const unit = mainUnit(step);
      if (!unit?.isLast) continue;
      const from = others.at(-1)?.to ?? 0;
      const own = steps.slice(from, at + 1);
      const text = bare(words[unit.word]?.text ?? "");
      const isKept = unit.sounds[0] === KEPT || kept.has(text);
      const { isLatin } = unit;
      const { word, sound } = isLatin ? LATIN : OTHER;
      const cost = own.reduce((sum, each) => sum + (mainUnit(each) ? sound : deleted(each)), word);
      const span = { from, to: at + 1 };
      if (isKept) others.push({ ...span, text, cost: 0 });
      else if (isLatin) others.push({ ...span, text, cost });
      else others.push({ ...span, text: inDevanagari(own.flatMap(corrected)), cost, ...agreedWord(own, text, cost) });
    }
    return others;
  }

  /** A word as it is in the Hindi text, where Urdu has the same consonants. */
  function agreedWord(own: readonly Step[], text: string, most: number): { text: string; cost: number } | undefined {
    if (!hasHindi || own.length < MIN_AGREED || !DEVANAGARI_WORD.test(text) || !own.every(hasSameConsonant))
      return undefined;
    const known = wordWith(lexicon, devanagariSounds(text));
    const { word, sound } = known === undefined ? AGREED : AGREED_KNOWN;
    return { text: known ?? text, cost: Math.min(most, word + sound * own.length) };
  }

  /** Each with the punctuation of the words that it starts and ends with. */
  function withTimes(): RecognizedWord[] {
    const units = steps.map(mainUnit);
    const timeOf = ({ word }: Unit, share: number): number => {
      const { start = 0, end = 0 } = words[word] ?? {};
      return start + (end - start) * share;
    };
    let end = words[0]?.start ?? 0;
    return spelled.map(({ text, from, to }) => {
      const own = units.slice(from, to).filter((unit) => unit !== undefined);
      const [first, last] = [own[0], own.at(-1)];
      const start = first ? timeOf(first, first.from) : end;
      end = last ? timeOf(last, last.to) : end;
      const before = first?.from === 0 ? /^\p{P}*/u.exec(words[first.word]?.text ?? "")?.[0] : "";
      const after = last?.isLast ? /\p{P}*$/u.exec(words[last.word]?.text ?? "")?.[0] : "";
      return { text: inHindi(`${before}${text}${after}`), start, end, joined: false };
    });
  }

  /** The sounds of a word that no lexicon has: those of the main text, with the consonants of Urdu. */
  function corrected({ hindi, urdu }: Step): string[] {
    const [sound = ""] = hindi?.sounds ?? [];
    const [other = ""] = urdu?.sounds ?? [];
    if (!hasHindi) return [other];
    if (urdu && hindi) return [!urdu.sounds.includes(sound) && isMisheard(sound, other) ? other : sound];
    return hindi ? [sound] : [];
  }
}

const bare = (text: string): string => text.replace(/^\p{P}+|\p{P}+$/gu, "");
const inHindi = (text: string): string =>
  text
    .replaceAll("۔", "।")
    .replaceAll("؟", "?")
    .replaceAll("،", ",")
    .replace(/[۰-۹]/gu, (digit) => String((digit.codePointAt(0) ?? 0) - 0x6f0));

/** Only the main text keeps words. */
function unitsOf(words: readonly RecognizedWord[], isMain: boolean): Unit[] {
  return words.flatMap(({ text }, word) => {
    const sounds = soundsOf(text, isMain);
    const isLatin = LATIN_WORD.test(bare(text));
    const joins = isJoined(bare(text), bare(words[word + 1]?.text ?? ""));
    const share = 1 / sounds.length;
    return sounds.map((each, at) => {
      const isLast = at === sounds.length - 1 && !joins;
      return { sounds: each, word, from: at * share, to: (at + 1) * share, isLast, isLatin };
    });
  });
}

function soundsOf(text: string, isMain: boolean): string[][] {
  // Whisper changes the script inside of words.
  const runs = /\p{N}/u.test(text) ? null : text.match(/\p{Script=Devanagari}+|\p{Script=Latin}+|\p{Script=Arabic}+/gu);
  const sounds = (runs ?? []).flatMap((run) => {
    if (/\p{Script=Latin}/u.test(run)) return latinSounds(run);
    return /\p{Script=Arabic}/u.test(run) ? arabicSounds(run) : devanagariSounds(run).map((sound) => [sound]);
  });
  return sounds.length === 0 && isMain && bare(text) !== "" ? [[KEPT]] : sounds;
}

/**
 * Hindi writes endings of the future, and postpositions of pronouns, together with the word before them. After a verb in the plural,
 * "کے" is an ending that was misheard: no postposition stands there.
 */
const isJoined = (word: string, next: string): boolean =>
  /^گ[ایے]$/u.test(next) ||
  (next === "کے" && /یں$/u.test(word) && !/(?:^م|ہ)یں$/u.test(word)) ||
  (/^(?:نے|کا|کی|کے|کو|سے)$/u.test(next) && /^(?:اس|ان|آپ|مجھ|تجھ|تم|ہم|کس|جس|میں|انہوں|انھوں)$/u.test(word));

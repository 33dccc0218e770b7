/**
 * Hindi and Urdu are one spoken language in two scripts. Whisper has learned nine times as much Urdu: told that speech is Hindi,
 * it writes "g, b, d" for many "gh, bh, dh", and told that it is Urdu, it writes the right consonants for the same audio. Urdu
 * letters write no short vowels, so the Hindi text stays, with the sounds of the Urdu one that both scripts write clearly: stops,
 * and "e", "ī" and nasal vowels at the end of a word.
 */

/** Stops of one place, and the flaps, which are taken for one another most. */
const PLACES = ["k kh g gh", "c ch j jh", "T Th D Dh R Rh t th d dh r", "p ph b bh v"];
const placeOf = new Map(PLACES.flatMap((sounds, place) => sounds.split(" ").map((sound) => [sound, place] as const)));

const DEVANAGARI = table(`
  क k ख kh ग g घ gh च c छ ch ज j झ jh ट T ठ Th ड D ढ Dh ड़ R ढ़ Rh त t थ th द d ध dh प p फ ph ब b भ bh
  र r ल l स s श S ष S ह h म m न n ण n ञ n ङ n ं n ँ n य y व v
  ी y े y ै y ई y ए y ऐ y ू w ो w ौ w ऊ w ओ w औ w ा a आ a`);
const ARABIC = table(`
  ک k ك k ق k خ kh گ g غ g چ c ج j ز j ذ j ض j ظ j ٹ T ڈ D ڑ R ت t ط t د d پ p ف ph ب b
  ر r ل l س s ص s ث s ش S ہ h ح h ه h ة h م m ن n ں n ی y ي y ى y ے y و w ا a آ a`);
const letterOf = new Map([...DEVANAGARI].map(([letter, sound]) => [sound, letter]));
/** Vowels at the end of a word in Urdu and in Hindi, and what Hindi should have. */
const FINAL_VOWELS = table("ی+े ी ی+ए ई ی+ि ी ے+ी े ے+ई ए ے+ि े");

/** Letters and their sounds. */
function table(pairs: string): Map<string, string> {
  return new Map([...pairs.matchAll(/(\S+) (\S+)/gu)].map(([, letter = "", sound = ""]) => [letter, sound]));
}

/** A sound and where it is written. */
interface Unit {
  readonly sound: string;
  readonly letters: string;
  readonly from: number;
  readonly to: number;
  /** The number of its word, and whether that ends with it. */
  readonly word: number;
  readonly isLast: boolean;
}

/** A unit of one text, of the other, or of both where they correspond; `before` is the last one of the Hindi text. */
interface Step {
  readonly hindi?: Unit | undefined;
  readonly urdu?: Unit | undefined;
  readonly before?: Unit | undefined;
}

const VIRAMA = "्";
const SAME_PLACE = 3;
const GAP = 6;
const OTHER_STOP = 8;
const OTHER_SOUND = 10;
/** With a higher cost of each sound, the two texts are not of the same speech. */
const MAX_COST = 3;

export const isDevanagari = (text: string): boolean => /\p{Script=Devanagari}/u.test(text);

/** Hindi words with sounds of an Urdu text of the same speech. Keywords are spelled as they were given. */
export function correctHindiWords<Word extends { readonly text: string }>(
  words: readonly Word[],
  urdu: string,
  keywords: readonly string[] = [],
): Word[] {
  const kept = new Set(keywords.flatMap((keyword) => keyword.split(/\s+/)));
  const corrected = correctHindi(words.map(({ text }) => text).join(" "), urdu).split(" ");
  return words.map((word, index) =>
    kept.has(word.text.replace(/\p{P}+$/u, "")) ? word : { ...word, text: corrected[index] ?? word.text },
  );
}

/** The Hindi text with sounds of an Urdu text of the same speech. Its words remain, separated as they are. */
export function correctHindi(hindi: string, urdu: string): string {
  const units = unitsOf(hindi, DEVANAGARI);
  const { steps, cost } = aligned(units, unitsOf(urdu.normalize("NFC"), ARABIC));
  if (cost > MAX_COST * units.length) return hindi;
  const joined = joinedWords(steps);
  let text = "";
  let end = 0;
  for (const step of steps) {
    const from = step.hindi?.from ?? step.before?.to ?? 0;
    // "परहा" for "पढ़ा": the "h" is that of the letter before it.
    const isAspiration = step.hindi?.letters === "ह" && !step.urdu && from === end && /[खघछझठढथधफभ]़?$/u.test(text);
    const letters = isAspiration ? "" : correction(step, joined);
    if (letters === undefined) continue;
    const kept = hindi.slice(end, from);
    // No flap follows another consonant.
    text += (/^[डढ]़/u.test(letters) && kept.endsWith(VIRAMA) ? kept.slice(0, -1) : kept) + letters;
    end = step.hindi?.to ?? from;
  }
  return text + hindi.slice(end);
}

/** What to write for a unit of the Hindi text, or behind one; undefined where it stays. */
function correction({ hindi, urdu, before }: Step, joined: ReadonlySet<number>): string | undefined {
  const stop = hindi && urdu && otherStop(hindi, urdu.sound);
  // Urdu writes every "ā" inside a word.
  if (hindi?.letters === "ा" && !hindi.isLast && !urdu) return "";
  const unit = hindi ?? before;
  if (stop !== undefined || !unit?.isLast || joined.has(unit.word)) return stop;
  if (hindi && urdu) return urdu.isLast ? FINAL_VOWELS.get(`${urdu.letters}+${hindi.letters}`) : undefined;
  if (hindi) return /^[ंँ]$/u.test(hindi.letters) ? "" : undefined;
  if (urdu?.letters !== "ں" || !/^[awy]$/.test(unit.sound)) return undefined;
  return /[ाू]/u.test(unit.letters) ? "ँ" : "ं";
}

/** Words that Urdu has written together with others: it did not hear where they end. */
function joinedWords(steps: readonly Step[]): Set<number> {
  const wordsOf = new Map<number, Set<number>>();
  for (const { hindi, urdu } of steps) {
    if (hindi && urdu) wordsOf.set(urdu.word, (wordsOf.get(urdu.word) ?? new Set()).add(hindi.word));
  }
  return new Set([...wordsOf.values()].flatMap((words) => (words.size > 1 ? [...words] : [])));
}

/** A doubled letter is aspirated only once: "च्छ". */
function otherStop({ sound, letters }: Unit, other: string): string | undefined {
  if (sound === other || !placeOf.has(sound) || !placeOf.has(other)) return undefined;
  return (letters.includes(VIRAMA) ? `${letterOf.get(plain(other))}${VIRAMA}` : "") + letterOf.get(other);
}

const plain = (sound: string): string => sound.replace("h", "");

function unitsOf(text: string, letters: ReadonlyMap<string, string>): Unit[] {
  const units: Unit[] = [];
  for (const { 0: written, index } of text.matchAll(/[डढ]़|\p{L}ھ?|\p{M}/gu)) {
    const to = index + written.length;
    const isLast = !/^[\p{L}\p{M}]/u.test(text.slice(to, to + 1));
    const base = written === "ि" && isLast ? "y" : letters.get(written.replace("ھ", ""));
    if (base === undefined) continue;
    const sound = written.endsWith("ھ") ? `${base}h` : base;
    const last = units.at(-1);
    const doubles = last && text.slice(last.to, index) === VIRAMA && plain(last.sound) === plain(sound);
    const from = doubles ? last.from : index;
    const word = last ? last.word + Number(last.isLast) : 0;
    if (doubles) units.pop();
    units.push({ sound, letters: text.slice(from, to), from, to, word, isLast });
  }
  return units;
}

function costOf(a: string, b: string): number {
  if (a === b || (a === "v" && b === "w")) return 0;
  const [place, other] = [placeOf.get(a), placeOf.get(b)];
  if (place === undefined || other === undefined) return OTHER_SOUND;
  return place === other ? SAME_PLACE : OTHER_STOP;
}

/** The alignment with the least cost. */
function aligned(
  left: readonly Unit[],
  right: readonly Unit[],
): { readonly steps: readonly Step[]; readonly cost: number } {
  const rows: number[][] = [Array.from({ length: right.length + 1 }, (_, count) => count * GAP)];
  for (const [i, a] of left.entries()) {
    const above = rows[i] ?? [];
    const row = [(i + 1) * GAP];
    for (const [j, b] of right.entries()) {
      const both = (above[j] ?? 0) + costOf(a.sound, b.sound);
      row.push(Math.min(both, (above[j + 1] ?? 0) + GAP, (row[j] ?? 0) + GAP));
    }
    rows.push(row);
  }
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  const steps: Step[] = [];
  for (let [i, j] = [left.length, right.length]; i > 0 || j > 0; ) {
    const [a, b] = [left[i - 1], right[j - 1]];
    if (a && b && at(i, j) === at(i - 1, j - 1) + costOf(a.sound, b.sound)) {
      steps.push({ hindi: a, urdu: b });
      i--;
      j--;
    } else if (a && at(i, j) === at(i - 1, j) + GAP) {
      steps.push({ hindi: a });
      i--;
    } else {
      steps.push({ urdu: b, before: a });
      j--;
    }
  }
  return { steps: steps.reverse(), cost: at(left.length, right.length) };
}

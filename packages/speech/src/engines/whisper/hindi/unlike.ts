/** How unlike sounds are, and what it costs that a text lacks one: from 0 to 3. */

const OTHER_SOUND = 3;
const OTHER_PLACE = 2;
const OTHER_VOWEL = 1.6;
/** Consonants of one place are taken for one another most. */
const PLACES = ["k kh g gh q x G", "c ch j jh z", "T Th D Dh R Rh", "t th d dh", "p ph b bh f"];
const placeOf = new Map(PLACES.flatMap((sounds, place) => sounds.split(" ").map((sound) => [sound, place] as const)));
const RETROFLEX = 2;
const DENTAL = 3;
const VOICED = /^[gGjzdDRb]/;
const VOWEL = /^[aAiIuUeEoO]$/;
/** Pairs that are less unlike than others of their kind. */
const PAIRS = `
  i I 0.5  u U 0.5  a A 1    e E 0.6  o O 0.6  e I 0.8  e i 0.8  o U 0.8  o u 0.8  E I 1.2  a E 0.8  a e 1    a o 1    a u 1.2
  a i 1.2  O U 1.2  A O 1    A E 1.4  z j 0.2  f ph 0.2 x kh 0.2 q k 0.2  G g 0.2  z s 1    S s 0.6  n N 0.2  n ~ 0.4  N ~ 0.5
  m ~ 0.5  m n 1    v b 1    v bh 1   v f 1    v o 1    v u 1    v U 1    y i 0.6  y I 0.5  y e 0.6  y E 0.8  r R 0.4  r Rh 0.8
  r D 0.8  r l 1.5  h o 1    h e 1    Rh h 1.5 S ch 1   S c 1.2  s c 1.5  kh h 1   x h 1`;
/** Sounds and what they are taken for, where that is not so often the other way round. */
const TAKEN_FOR = `
  R r 0.15  Rh r 0.15  D d 0.15  T t 0.35  Th T 0.35  Th t 0.6  Th th 0.5  Th ch 0.8  kh k 0.5  t d 1  b bh 0.8  b p 1  e I 0.6  I e 1`;
const costsIn = (text: string) =>
  [...text.matchAll(/(\S+) (\S+) (\S+)/g)].map(([, a = "", b = "", cost]) => ({ a, b, cost: Number(cost) }));
const known = new Map<string, number>([
  ...costsIn(PAIRS).flatMap(({ a, b, cost }) => [[`${a} ${b}`, cost] as const, [`${b} ${a}`, cost] as const]),
  ...costsIn(TAKEN_FOR).map(({ a, b, cost }) => [`${a} ${b}`, cost] as const),
]);

/** What it costs that a sound is taken for another one. */
export function unlike(a: string, b: string): number {
  if (a === b) return 0;
  const pair = `${a} ${b}`;
  const cost = known.get(pair) ?? costOfPair(a, b);
  known.set(pair, cost);
  return cost;
}

function costOfPair(a: string, b: string): number {
  if (VOWEL.test(a) && VOWEL.test(b)) return OTHER_VOWEL;
  const [place, other] = [placeOf.get(a), placeOf.get(b)];
  if (place === undefined || other === undefined) return OTHER_SOUND;
  const isTongue = (at: number) => at === RETROFLEX || at === DENTAL;
  if (place !== other && !(isTongue(place) && isTongue(other))) return OTHER_PLACE;
  const breath = a.endsWith("h") === b.endsWith("h") ? 0 : 0.5;
  const voice = VOICED.test(a) === VOICED.test(b) ? 0 : 0.7;
  return Math.max(0.3, breath + voice + (place === other ? 0 : 0.5));
}

/** Whether two different sounds are consonants that are easily taken for one another. */
export const isMisheard = (a: string, b: string): boolean =>
  a !== b && (placeOf.has(a) || a === "r") && (placeOf.has(b) || b === "r") && unlike(a, b) < OTHER_PLACE;

/** Stands for a word that stays as it is, of digits or of letters whose sounds are not known, and is never left out. */
export const KEPT = "#";
const NEVER = 20;

/** Of a text in Devanagari. */
export function missingInDevanagari(sound: string): number {
  if (sound === KEPT) return NEVER;
  if (sound === "+") return 0.15;
  if (sound === ":") return 0.3;
  if (sound === "a") return 0.4;
  if (sound === "~") return 0.6;
  if (/^[iuhyv]$/.test(sound)) return 1;
  return VOWEL.test(sound) ? 1.2 : 2;
}

/** Of a text in Arabic letters, which write no short vowels and no doubled consonants. */
export function missingInArabic(sound: string): number {
  if (/^[+:a]$/.test(sound) || sound === KEPT) return 0;
  if (/^[iu]$/.test(sound)) return 0.1;
  if (sound === "~") return 0.6;
  if (sound === "h") return 0.8;
  if (/^[yv]$/.test(sound)) return 0.9;
  return VOWEL.test(sound) ? 1.4 : 2.5;
}

/** What it costs that an Arabic letter stands for no sound, by its most usual one. */
export function silentInArabic(sound: string): number {
  if (sound === KEPT) return NEVER;
  return sound === "a" ? 0.6 : missingInArabic(sound);
}

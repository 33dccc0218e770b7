/**
 * Hindi and Urdu are one spoken language in two scripts. Words are compared by their sounds, as Devanagari distinguishes them. Small
 * and capital letters are different ones; `~` makes a vowel nasal, `+` joins two consonants, and `:` doubles one.
 */

const DEVANAGARI = table(`
  क k ख kh ग g घ gh च c छ ch ज j झ jh ट T ठ Th ड D ढ Dh ण N त t थ th द d ध dh न n ङ n ञ n प p फ ph ब b भ bh म m
  य y र r ल l व v श S ष S स s ह h ळ l ड़ R ढ़ Rh क़ q ख़ x ग़ G ज़ z फ़ f ँ ~ ं ~ ् + ः h
  अ a आ A ा A इ i ि i ई I ी I उ u ु u ऊ U ू U ए e े e ऐ E ै E ओ o ो o औ O ौ O ऑ O ॉ O ऍ e ॅ e ऋ r,i ृ r,i`);
/** What a letter may stand for, the most usual sound first. */
const ARABIC = table(`
  ک k,q ك k,q ق k,q خ kh,x گ g,G غ g,G چ c ج j,z ز j,z ذ j,z ض j,z ظ j,z ٹ T ڈ D ڑ R ت t ط t د d پ p ف ph,f ب b
  ر r ل l س s ص s ث s ش S ہ h ح h ه h ھ h م m ن n,N,~ ں ~ ی I,e,E,y,i ي I,e,E,y,i ى I,e,E,y,i ے e,E و o,U,v,O,u ؤ o,v,U,u ۓ e,E ا A أ a,A آ A ع a,A ئ a,i,`);
/** Vowels at the start of a word are written on an alef, which alone is a short one. */
const INITIAL = table("ا a,i,u,A أ a,A إ i,e ای e,I,E اي e,I,E او O,o,U,u");
/** At the end of a word, a silent "h" may be a vowel, and two letters distinguish "ī" and "e". */
const FINAL = table("ہ h,A ه h,A ۂ h,A ة A ۃ A ی I,y,i ي I,y,i ى I,y,i");
/** The last letters of "गाँव" and of "जाऊँ". */
const FINAL_NASAL = {
  letters: "ؤں",
  sounds: [
    ["~", "o", "U"],
    ["v", "~"],
  ],
};
/** Words with a silent "h", and those that have one in Hindi only. */
const WORDS = new Map([
  ["کہ", [["k"], ["i"]]],
  ["یہ", [["y"], ["h"]]],
  ["وہ", [["v"], ["h"]]],
]);

/** Hindi and English words in Latin letters. */
const LATIN = table(`
  aa A ai E,e au O ea I,e ee I ei e,E oo U,u ou U,O a a,A e e,I,E,i,a i i,I,e o o,O,u,a u u,U,a y y,I v v w v
  kh kh,k gh gh,g chh ch ch c,ch,k ck k ti S jh jh th th,Th,t,T dh dh,Dh ph f,ph bh bh,b sh S,s rh Rh k k q k g g,j c k,s,c j j z z,j
  t t,T,th d d,D,R,Dh n n,~,N p p,ph b b,bh f f,ph m m,~ r r,R l l s s,z h h x k`);

function table(pairs: string): Map<string, string[]> {
  const entries = [...pairs.normalize("NFC").matchAll(/(\S+) (\S+)/gu)];
  return new Map(entries.map(([, letters = "", sounds = ""]) => [letters, sounds.split(",")]));
}

/** The sounds of a word in Devanagari. */
export function devanagariSounds(word: string): string[] {
  const sounds: string[] = [];
  for (const [letters] of word.normalize("NFC").matchAll(/[कखगजफडढ]़|[\u0900-\u097f]/gu)) {
    const [sound, ...more] = DEVANAGARI.get(letters) ?? [];
    if (sound === undefined) continue;
    // "a" is not written, but heard between a consonant and a vowel: "कई" is not "की".
    if (/[अ-औ]/u.test(letters) && /^[^aAiIuUeEoO~+:]/.test(sounds.at(-1) ?? "")) sounds.push("a");
    const doubles = sounds.at(-1) === "+" && withoutBreath(sounds.at(-2) ?? "") === withoutBreath(sound);
    if (doubles) sounds.splice(-2, 2, sound, ":");
    else sounds.push(sound, ...more);
  }
  return sounds;
}

/** What the letters of a word in Arabic letters may stand for. */
export function arabicSounds(word: string): string[][] {
  const written = word.normalize("NFC").replace(/[^\p{L}]/gu, "");
  const known = WORDS.get(written);
  if (known) return known;
  const sounds: string[][] = [];
  for (const { 0: letters, index } of written.matchAll(/^ا[یيو](?!ا)|ؤں$|[^ھ]ھ?|ھ/gu)) {
    if (letters === FINAL_NASAL.letters) {
      sounds.push(...FINAL_NASAL.sounds);
      continue;
    }
    const letter = letters.replace(/(?<=.)ھ/u, "");
    const isFinal = index + letters.length === written.length;
    const found = (index === 0 && INITIAL.get(letters)) || (isFinal && FINAL.get(letters)) || ARABIC.get(letter);
    if (!found) continue;
    const aspirates = letter === letters ? [] : found.filter((sound) => /^[kgcjtdpbTDR]$/.test(sound));
    // Urdu writes a doubled consonant once, but Whisper writes some twice, as it hears them.
    const doubled = letters === written[index - 1] && !/[اویں]/u.test(letter) ? [":"] : [];
    sounds.push(aspirates.length > 0 ? aspirates.map((sound) => `${sound}h`) : [...found, ...doubled]);
  }
  return sounds;
}

/** What the letters of a word in Latin letters may stand for: nothing, where it is empty. Doubled consonants are single ones. */
export function latinSounds(word: string): string[][] {
  const written = word.toLowerCase().replace(/([^aeiou])\1/gu, "$1");
  return [...written.matchAll(/chh|ck|ti(?=on)|[kgcjtdpbsr]h|aa|ai|au|ea|ee|ei|oo|ou|[a-z]/gu)].flatMap(
    ({ 0: letters, index }) => {
      const found = LATIN.get(letters) ?? [];
      const isFinalE = letters === "e" && index > 2 && index === written.length - 1;
      return found.length > 0 ? [isFinalE ? [...found, ""] : found] : [];
    },
  );
}

const letterOf = new Map([...DEVANAGARI].map(([letter, [sound = ""]]) => [sound, letter] as const).reverse());
const SIGNS: Readonly<Record<string, string>> = { A: "ा", i: "ि", I: "ी", u: "ु", U: "ू", e: "े", E: "ै", o: "ो", O: "ौ" };
const INDEPENDENT: Readonly<Record<string, string>> = {
  a: "अ",
  A: "आ",
  i: "इ",
  I: "ई",
  u: "उ",
  U: "ऊ",
  e: "ए",
  E: "ऐ",
  o: "ओ",
  O: "औ",
};

/** A word with these sounds. */
export function inDevanagari(sounds: readonly string[]): string {
  let word = "";
  for (const [at, sound] of sounds.entries()) {
    const before = sounds[at - 1];
    const afterConsonant = /[क-ह]़?$/u.test(word) && before !== "a";
    if (sound in INDEPENDENT) word += (afterConsonant ? SIGNS[sound] : INDEPENDENT[sound]) ?? "";
    else if (sound === "~") word += /[अआउऊाुू]$|[क-ह]़?$/u.test(word) ? "ँ" : "ं";
    else if (sound === ":") word = word.replace(/[क-ह]़?$/u, (last) => doubled(last));
    else word += letterOf.get(sound) ?? "";
  }
  return word;
}

/** A doubled letter is aspirated once: "च्छ". */
const doubled = (letter: string): string =>
  `${letterOf.get(withoutBreath(DEVANAGARI.get(letter)?.[0] ?? "")) ?? letter}्${letter}`;

const withoutBreath = (sound: string): string => sound.replace(/(?<=.)h$/, "");

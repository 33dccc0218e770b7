/**
 * The forms of Hindi verbs by their stems: the list of words lacks most of them. Stems that end in a consonant have the endings as
 * signs of vowels, others as letters.
 */

const AFTER_ANY = "ता ती ते तीं ना नी ने कर";
const AFTER_CONSONANT = "ूँ े ें ो ूँगा ूँगी ेगा ेगी ेंगे ेंगी ोगे ोगी िए िएगा";
const AFTER_VOWEL = "ऊँ ए एँ ओ ऊँगा ऊँगी एगा एगी एँगे एँगी ओगे ओगी इए इएगा";
const AFTER_SHORT_I = "ऊँ ए एँ यो ऊँगा ऊँगी एगा एगी एँगे एँगी योगे योगी";
const DONE_AFTER_CONSONANT = "ा ी े ीं";
const DONE_AFTER_VOWEL = "या ई ए ईं";

/** Verbs with other forms than their stems tell: all of those that are not listed under `AFTER_ANY`. */
const IRREGULAR: Readonly<Record<string, string>> = {
  कर: `${withEndings("कर", AFTER_CONSONANT)} किया की किए कीं कीजिए कीजिएगा करके`,
  जा: `${withEndings("जा", AFTER_VOWEL)} गया गई गए गईं`,
  दे: "दूँ दे दें दो दूँगा दूँगी देगा देगी देंगे देंगी दोगे दोगी दीजिए दीजिएगा दिया दी दिए दीं",
  ले: "लूँ ले लें लो लूँगा लूँगी लेगा लेगी लेंगे लेंगी लोगे लोगी लीजिए लीजिएगा लिया ली लिए लीं",
  हो: "हो हों होऊँगा होऊँगी होगा होगी होंगे होंगी होगे होगी हुआ हुई हुए हुईं होइए होइएगा",
};

export function verbForms(stem: string): string[] {
  return [stem, ...`${withEndings(stem, AFTER_ANY)} ${IRREGULAR[stem] ?? otherForms(stem)}`.split(" ")];
}

function otherForms(stem: string): string {
  // "पी": "पिएगा", "पिया", but "पी" and "पीं"; "छू": "छुएगा", "छुआ".
  if (stem.endsWith("ी")) {
    const short = stem.replace(/ी$/u, "ि");
    return `${withEndings(short, AFTER_SHORT_I)} ${short}या ${short}ए ${stem}ं ${stem}जिए ${stem}जिएगा`;
  }
  if (stem.endsWith("ू")) {
    const short = stem.replace(/ू$/u, "ु");
    return `${withEndings(short, AFTER_VOWEL)} ${withEndings(short, "आ ई ए ईं")}`;
  }
  const endsInVowel = /[\u093e-\u094cअ-औ]$/u.test(stem);
  return endsInVowel
    ? `${withEndings(stem, AFTER_VOWEL)} ${withEndings(stem, DONE_AFTER_VOWEL)}`
    : `${withEndings(stem, AFTER_CONSONANT)} ${withEndings(stem, DONE_AFTER_CONSONANT)}`;
}

function withEndings(stem: string, endings: string): string {
  return endings
    .split(" ")
    .map((ending) => stem + ending)
    .join(" ");
}

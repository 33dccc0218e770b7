/** Pinyin in Kokoro's symbols. */

const table = (pairs: string): ReadonlyMap<string, string> =>
  new Map(
    pairs
      .trim()
      .split(/\s+/)
      .map((pair): [string, string] => {
        const [pinyin = "", symbols = ""] = pair.split(":");
        return [pinyin, symbols];
      }),
  );

const INITIALS = table(`
  b:p p:pʰ m:m f:f d:t t:tʰ n:n l:l g:k k:kʰ h:x j:ʨ q:ʨʰ x:ɕ zh:ꭧ ch:ꭧʰ sh:ʂ r:ɻ z:ʦ c:ʦʰ s:s
`);

/** "0" is where the tone goes. */
const FINALS = table(`
  a:a0 ai:ai0 an:a0n ang:a0ŋ ao:au0 e:ɤ0 ei:ei0 en:ə0n eng:ə0ŋ er:ɚ0
  i:i0 ia:ja0 ian:jɛ0n iang:ja0ŋ iao:jau0 ie:je0 in:i0n iou:jou0 ing:i0ŋ iong:jʊ0ŋ
  o:wo0 ong:ʊ0ŋ ou:ou0 u:u0 uei:wei0 ua:wa0 uai:wai0 uan:wa0n uen:wə0n uang:wa0ŋ ueng:wə0ŋ uo:wo0
  ü:y0 üe:ɥe0 üan:ɥɛ0n ün:y0n
`);

/** Interjections without a vowel. */
const WITHOUT_VOWEL = table("m:m0 n:ə0n ng:ə0n hm:xə0m hng:xə0ŋ");

/** By tone: neutral, high, rising, low, falling. */
const TONES = ["", "→", "↗", "↓", "↘"] as const;

/** Finals that pinyin shortens after an initial. */
const SHORTENED: Readonly<Record<string, string>> = { iu: "iou", ui: "uei", un: "uen" };

/** One syllable: its letters with ü, and its tone, 0 for neutral. */
export interface Syllable {
  readonly letters: string;
  readonly tone: number;
}

/** "zhong1", "lü4", "de0", "lv4"; undefined for anything else. */
export function parseSyllable(pinyin: string): Syllable | undefined {
  const [, letters, tone] = /^([a-zü]+)([0-5])$/.exec(pinyin.replaceAll("v", "ü")) ?? [];
  return letters === undefined ? undefined : { letters, tone: Number(tone) % 5 };
}

/** zhong1 → ꭧʊ→ŋ; "" for letters that are no syllable. */
export function symbolsOf({ letters, tone }: Syllable): string {
  const hummed = WITHOUT_VOWEL.get(letters);
  const [initial, final] = hummed === undefined ? parts(letters) : ["", ""];
  const hissed = final === "i" && /^(?:zh|ch|sh|r|z|c|s)$/.test(initial);
  const symbols = hummed ?? (hissed ? "ɨ0" : FINALS.get(final));
  if (symbols === undefined) return "";
  return (INITIALS.get(initial) ?? "") + symbols.replace("0", TONES[tone] ?? "");
}

/** The initial and the final in full: "you" is ["", "iou"], "jun" is ["j", "ün"]. */
function parts(letters: string): [initial: string, final: string] {
  const bare = letters
    .replace(/^yu/, "ü")
    .replace(/^yi/, "i")
    .replace(/^y/, "i")
    .replace(/^wu/, "u")
    .replace(/^w/, "u");
  const initial = /^(?:[zcs]h|[bpmfdtnlgkhjqxrzcs])(?=.)/.exec(bare)?.[0] ?? "";
  const rest = bare.slice(initial.length);
  const final = /[jqx]/.test(initial) ? rest.replace(/^u/, "ü") : rest;
  // "yun" has become ün, "wen" uen and "you" iou already.
  return [initial, initial === "" ? final : (SHORTENED[final] ?? final)];
}

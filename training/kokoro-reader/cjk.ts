/**
 * Japanese and Chinese sentences as Kokoro's phonemes: simple readings, to learn from, not a front end.
 *
 *   npm install --no-save --prefix TOOLS kuromoji@0.1.2 pinyin-pro@3.29.4
 *   node --import tsx training/kokoro-reader/cjk.ts SENTENCES.jsonl KANA.tsv TOOLS OUT.jsonl
 *
 * KANA.tsv holds hiragana and their phonemes. Numbers and Latin letters are left out.
 */
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const [sentences = "", kanaTable = "", tools = "", out = ""] = process.argv.slice(2);
const load = createRequire(join(resolve(tools), "package.json"));

const marks: Readonly<Record<string, string>> = {
  "。": ".",
  "．": ".",
  "、": ",",
  "，": ",",
  "！": "!",
  "？": "?",
  "；": ";",
  "：": ":",
  "…": "…",
  "「": "“",
  "」": "”",
  "“": "“",
  "”": "”",
  "（": "(",
  "）": ")",
};

const initials: Readonly<Record<string, string>> = {
  b: "p",
  p: "pʰ",
  m: "m",
  f: "f",
  d: "t",
  t: "tʰ",
  n: "n",
  l: "l",
  g: "k",
  k: "kʰ",
  h: "x",
  j: "ʨ",
  q: "ʨʰ",
  x: "ɕ",
  zh: "ꭧ",
  ch: "ꭧʰ",
  sh: "ʂ",
  r: "ɻ",
  z: "ʦ",
  c: "ʦʰ",
  s: "s",
};

/** "0" is where the tone goes. */
const finals: Readonly<Record<string, string>> = {
  a: "a0",
  ai: "ai0",
  an: "a0n",
  ang: "a0ŋ",
  ao: "au0",
  e: "ɤ0",
  ei: "ei0",
  en: "ə0n",
  eng: "ə0ŋ",
  er: "ɚ0",
  i: "i0",
  ia: "ja0",
  ian: "jɛ0n",
  iang: "ja0ŋ",
  iao: "jau0",
  ie: "je0",
  in: "i0n",
  iu: "jou0",
  ing: "i0ŋ",
  iong: "jʊ0ŋ",
  ong: "ʊ0ŋ",
  ou: "ou0",
  u: "u0",
  ui: "wei0",
  ua: "wa0",
  uai: "wai0",
  uan: "wa0n",
  un: "wə0n",
  uang: "wa0ŋ",
  ueng: "wə0ŋ",
  uo: "wo0",
  o: "wo0",
  ü: "y0",
  üe: "ɥe0",
  üan: "ɥɛ0n",
  ün: "y0n",
};
const tones = ["", "→", "↗", "↓", "↘"];

/** "zhong1" → "ꭧʊ→ŋ" */
function syllable(pinyin: string): string {
  const [, letters = "", tone = "0"] = pinyin.match(/^([a-zü]+)([0-5])?$/) ?? [];
  if (letters === "") return "";
  let rest = letters.replace(/^yu/, "ü").replace(/^yi/, "i").replace(/^y/, "i").replace(/^wu/, "u").replace(/^w/, "u");
  const initial = /^[iuü]/.test(rest) ? "" : (rest.match(/^(?:[zcs]h|[bpmfdtnlgkhjqxrzcs])/)?.[0] ?? "");
  rest = rest.slice(initial.length);
  if (/[jqx]/.test(initial)) rest = rest.replace(/^u/, "ü");
  const buzzed = rest === "i" && /^(?:zh|ch|sh|r|z|c|s)$/.test(initial);
  const final = buzzed ? "ɨ0" : finals[rest === "uei" ? "ui" : rest === "uen" ? "un" : rest === "iou" ? "iu" : rest];
  if (final === undefined) return "";
  return (initials[initial] ?? "") + final.replace("0", tones[Number(tone) % 5] ?? "");
}

function chinese(text: string): string {
  const { pinyin } = load("pinyin-pro");
  const words = [...new Intl.Segmenter("zh", { granularity: "word" }).segment(text)];
  const read: string[] = pinyin(text, { toneType: "num", type: "array", v: true, toneSandhi: true });
  // One reading for each letter of the text.
  if (read.length !== [...text].length) return "";
  let at = 0;
  let said = "";
  for (const { segment } of words) {
    const letters = [...segment];
    const readings = read.slice(at, at + letters.length);
    at += letters.length;
    const mark = marks[segment] ?? (/^[.,!?;:]$/.test(segment) ? segment : "");
    const sounds = /\p{Script=Han}/u.test(segment) ? readings.map(syllable).join("") : "";
    if (sounds !== "") said += (said === "" || said.endsWith("“") || said.endsWith("(") ? "" : " ") + sounds;
    else if (mark === "“" || mark === "(") said += ` ${mark}`;
    else said += mark;
  }
  return said.trim();
}

interface Morpheme {
  readonly surface_form: string;
  readonly pronunciation?: string;
  readonly reading?: string;
  readonly pos: string;
}

const kana = new Map(
  (await readFile(kanaTable, "utf8"))
    .split("\n")
    .map((line) => line.split("\t"))
    .filter((row): row is [string, string] => row.length === 2),
);
const hiragana = (text: string) =>
  text.replace(/[\u30a1-\u30f6]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0x60));

/** Katakana as it is pronounced → phonemes; what follows decides how ん sounds. */
function japaneseSounds(pronunciation: string): string {
  const letters = hiragana(pronunciation);
  let said = "";
  for (let at = 0; at < letters.length; ) {
    const two = kana.get(letters.slice(at, at + 2));
    const one = kana.get(letters[at] ?? "");
    const letter = letters[at];
    if (two !== undefined && letters.length > at + 1) {
      said += two;
      at += 2;
    } else {
      said += letter === "ん" ? "N" : letter === "っ" ? "ʔ" : letter === "ー" ? "ː" : (one ?? "");
      at += 1;
    }
  }
  return said;
}

const nasal = (said: string) =>
  said
    .replace(/N(?=\s*[mpb])/g, "m")
    .replace(/N(?=\s*[kɡ])/g, "ŋ")
    .replace(/N(?=\s*[ɲʨʥ])/g, "ɲ")
    .replace(/N(?=\s*[ntdɾz])/g, "n")
    .replaceAll("N", "ɴ");

function japanese(text: string, tokenizer: { tokenize(text: string): Morpheme[] }): string {
  let said = "";
  for (const { surface_form, pronunciation, reading, pos } of tokenizer.tokenize(text)) {
    const mark = marks[surface_form] ?? "";
    if (pos === "記号" || mark !== "") {
      said += mark;
      continue;
    }
    const kanaOnly = /^[\u3041-\u30ff]+$/.test(surface_form) ? surface_form : "";
    const sounds = japaneseSounds(pronunciation ?? reading ?? kanaOnly);
    // Particles and endings lean on the word before, most of the time.
    const leans = (pos === "助詞" || pos === "助動詞") && surface_form.length < 2;
    if (sounds !== "") said += (said === "" || leans ? "" : " ") + sounds;
  }
  return nasal(said.trim());
}

const tokenizer: { tokenize(text: string): Morpheme[] } = await new Promise((found, failed) =>
  load("kuromoji")
    .builder({ dicPath: join(resolve(tools), "node_modules/kuromoji/dict") })
    .build((error: Error | null, built: { tokenize(text: string): Morpheme[] }) =>
      error ? failed(error) : found(built),
    ),
);
const lines: string[] = [];
for (const line of (await readFile(sentences, "utf8")).split("\n")) {
  if (!/"(?:ja|zh)"/.test(line)) continue;
  const { language, text }: { language: string; text: string } = JSON.parse(line);
  const phonemes = language === "zh" ? chinese(text) : japanese(text, tokenizer);
  if (phonemes.length > 1) lines.push(JSON.stringify({ language, text, phonemes }));
}
await writeFile(out, `${lines.join("\n")}\n`);

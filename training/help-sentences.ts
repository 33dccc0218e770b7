/** Training sentences in many languages from the help pages of GNOME and LibreOffice, and a random choice of them. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

const SPACE = " ";

/** FOLDER contains pages of Mallard XML in one language: `usr/share/help/C/gnome-help` of Debian's gnome-user-docs. */
export function helpSentences(folder: string, language: string): Promise<string[]> {
  return sentencesIn(folder, ".page", /<(?:p|title|desc)(?:\s[^>]*)?>(.*?)<\/(?:p|title|desc)>/gs, language);
}

/** FOLDER contains pages in one language: `usr/share/libreoffice/help/hi/text` of Debian's libreoffice-help-hi. */
export function officeSentences(folder: string, language: string): Promise<string[]> {
  return sentencesIn(folder, ".html", /<(?:p|h[1-6])\s[^>]*>(.*?)<\/(?:p|h[1-6])>/gs, language);
}

async function sentencesIn(folder: string, ending: string, block: RegExp, language: string): Promise<string[]> {
  const found = new Set<string>();
  for (const name of (await readdir(folder, { recursive: true })).sort()) {
    if (!name.endsWith(ending)) continue;
    const page = await readFile(join(folder, name), "utf8");
    for (const [, inner = ""] of page.matchAll(block)) {
      const text = plain(inner);
      for (const sentence of text.split(/(?<=[.!?।])\s+/)) if (fits(sentence, language)) found.add(sentence);
    }
  }
  return [...found];
}

function plain(xml: string): string {
  return xml
    .replace(/<[^>]+>/g, "")
    .replace(/&(?:amp|quot|lt|gt|#\d+);/g, SPACE)
    .replace(/\s+/g, SPACE)
    .trim();
}

function fits(sentence: string, language: string): boolean {
  if (sentence.length < 8 || sentence.length > 260 || /[<>{}\\/@=_]/.test(sentence)) return false;
  // Where a link was, its text is missing: "see .", "( )".
  if (/\s[.,;:)]|\(\s*\)/.test(sentence)) return false;
  // Untranslated pages are in English.
  const foreign = language === "hi" ? !/\p{Script=Devanagari}/u.test(sentence) || /[a-z]{3}/i.test(sentence) : false;
  const english =
    !language.startsWith("en") &&
    /(?:^| )(?:the|you|your|and|with|this|these|have|can|are|is|of|off|to) /i.test(sentence);
  return !foreign && !english;
}

export function shuffled<T>(list: readonly T[], random: () => number): T[] {
  return list
    .map((value) => ({ value, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ value }) => value);
}

export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

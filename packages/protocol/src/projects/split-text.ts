import { PROJECT_LIMITS } from "./projects.ts";

export interface SplitChapter {
  readonly title: string;
  readonly paragraphs: readonly { readonly text: string }[];
}

const MARKDOWN_HEADING = /^(#{1,2})\s+(.{1,200}?)\s*#*$/;
const PLAIN_HEADING = /^(?:chapter|part|kapitel|teil|chapitre|capítulo|capitolo)\s+[\p{L}\p{N}]{1,12}\b.{0,80}$/iu;

/** The chapters of a text or of Markdown: a heading begins one, and empty lines separate paragraphs. */
export function splitText(text: string, firstTitle: string): readonly SplitChapter[] {
  const chapters: { title: string; paragraphs: { text: string }[] }[] = [];
  let current = { title: firstTitle, paragraphs: [] as { text: string }[] };
  chapters.push(current);
  for (const block of text.replace(/\r\n?/g, "\n").split(/\n[ \t]*\n/)) {
    const [first = "", ...rest] = block.trim().split("\n");
    const heading =
      MARKDOWN_HEADING.exec(first.trim())?.[2] ??
      (rest.length === 0 && PLAIN_HEADING.test(first.trim()) ? first.trim() : undefined);
    if (heading !== undefined) {
      current = { title: plain(heading), paragraphs: [{ text: `${plain(heading)}` }] };
      chapters.push(current);
    }
    const body = plain(heading === undefined ? block : rest.join("\n"));
    for (const part of fittingParagraphs(body)) current.paragraphs.push({ text: part });
  }
  return chapters.filter(({ paragraphs }) => paragraphs.length > 0);
}

/** Markdown without its signs: they are not read aloud. */
function plain(block: string): string {
  return block
    .split("\n")
    .map((line) =>
      line
        .trim()
        .replace(/^(?:[-*_]\s?){3,40}$/, "")
        .replace(/^(?:>+\s?|[-*+]\s+|#{1,6}\s+)/, "")
        .replace(/!\[([^\]]{0,200})\]\([^)\s]{0,500}\)/g, "$1")
        .replace(/\[([^\]]{1,200})\]\([^)\s]{0,500}\)/g, "$1")
        .replace(/(\*\*|__|`)(?=\S)([^*_`]{1,500}?\S|\S)\1/g, "$2")
        .replace(/(?<!\w)[*_](?=\S)([^*_]{1,500}?\S|\S)[*_](?!\w)/g, "$1"),
    )
    .filter((line) => line !== "")
    .join("\n");
}

/** A paragraph has a maximum length: a longer one is divided at the end of a sentence, or at a space. */
export function* fittingParagraphs(text: string): Generator<string> {
  const limit = PROJECT_LIMITS.paragraphCharacters;
  let rest = text.trim();
  while (rest.length > limit) {
    const head = rest.slice(0, limit);
    const stop = Math.max(
      head.lastIndexOf(". "),
      head.lastIndexOf("! "),
      head.lastIndexOf("? "),
      head.lastIndexOf("。"),
    );
    const space = head.lastIndexOf(" ");
    const cut = stop > limit / 2 ? stop + 1 : space > limit / 2 ? space : limit;
    yield rest.slice(0, cut).trim();
    rest = rest.slice(cut).trim();
  }
  if (rest !== "") yield rest;
}

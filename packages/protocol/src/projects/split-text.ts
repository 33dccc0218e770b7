import { PROJECT_LIMITS } from "./projects.ts";

export interface SplitChapter {
  readonly title: string;
  readonly paragraphs: readonly { readonly text: string }[];
}

/** What a text has so far. */
interface SplitProgress {
  readonly chapters: number;
  readonly paragraphs: number;
}

const PLAIN_HEADING = /^(?:chapter|part|kapitel|teil|chapitre|capítulo|capitolo)\s+[\p{L}\p{N}]{1,12}\b.{0,80}$/iu;
const EMPTY_LINES = /(?:\r\n|\r(?!\n)|\n)[ \t]*[\r\n]\s*/g;
const MARKDOWN_SIGN = /[-*_`>+#[]/;
const IMAGE = /!\[([^[\]]{0,200})\]\([^()\s]{0,500}(?:\([^()\s]{0,500}\))?\)/g;
const LINK = /\[([^[\]]{1,200})\]\([^()\s]{0,500}(?:\([^()\s]{0,500}\))?\)/g;

/** The chapters of a text or of Markdown: a heading begins one, and empty lines separate paragraphs. */
export function splitText(text: string, firstTitle: string): readonly SplitChapter[] {
  const pieces = splitTextPieces(text, firstTitle);
  for (;;) {
    const { done, value } = pieces.next();
    if (done === true) return value;
  }
}

/** The same for a server: yields after at most a paragraph, so that others are served in between and a limit ends the work. */
export function* splitTextPieces(text: string, firstTitle: string): Generator<SplitProgress, readonly SplitChapter[]> {
  let current: { title: string; paragraphs: { text: string }[] } = { title: firstTitle, paragraphs: [] };
  const chapters = [current];
  const progress = { chapters: 0, paragraphs: 0 };
  const add = (part: string): void => {
    if (part === "") return;
    if (current.paragraphs.push({ text: part }) === 1) progress.chapters += 1;
    progress.paragraphs += 1;
  };
  for (const block of blocksOf(text)) {
    const end = block.search(/[\r\n]/);
    const first = (end < 0 ? block : block.slice(0, end)).trim();
    const heading = markdownHeading(first) ?? (end < 0 && PLAIN_HEADING.test(first) ? first : undefined);
    if (heading !== undefined) {
      current = { title: plain(heading), paragraphs: [] };
      chapters.push(current);
      add(plain(heading));
    }
    const body = heading === undefined ? block : end < 0 ? "" : block.slice(end);
    if (body === "") yield progress;
    for (const part of fittingParagraphs(body)) {
      add(plain(part));
      yield progress;
    }
  }
  return chapters.filter((chapter) => chapter.paragraphs.length > 0);
}

/** What is between empty lines. One at a time: a text may have millions of them. */
function* blocksOf(text: string): Generator<string> {
  let start = 0;
  for (const { index, 0: gap } of text.matchAll(EMPTY_LINES)) {
    yield text.slice(start, index).trim();
    start = index + gap.length;
  }
  yield text.slice(start).trim();
}

function markdownHeading(line: string): string | undefined {
  if (!/^##?\s/.test(line)) return undefined;
  let end = line.length;
  while (line[end - 1] === "#") end -= 1;
  const title = line.slice(line[1] === "#" ? 2 : 1, end).trim();
  return title !== "" && title.length <= PROJECT_LIMITS.titleCharacters ? title : undefined;
}

/**
 * Markdown without its signs: they are not read aloud. What a sign encloses has no such sign inside, so that a line of signs is not
 * searched from each of them.
 */
function plain(block: string): string {
  const lines = block.split(/\r\n?|\n/).map((line) => line.trim());
  if (!MARKDOWN_SIGN.test(block)) return lines.filter((line) => line !== "").join("\n");
  return lines
    .map((line) =>
      line
        .replace(/^(?:[-*_]\s?){3,40}$/, "")
        .replace(/^(?:>+\s?|[-*+]\s+|#{1,6}\s+)/, "")
        .replace(IMAGE, "$1")
        .replace(LINK, "$1")
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

import { PROJECT_LIMITS, type SplitChapter } from "@parlance/protocol";

/** From here on, paragraphs are joined: the first length that leaves few enough is taken. */
const LENGTHS = [0, 250, 500, 1000, 2000, PROJECT_LIMITS.paragraphCharacters];

export const countParagraphs = (chapters: readonly SplitChapter[]): number =>
  chapters.reduce((sum, { paragraphs }) => sum + paragraphs.length, 0);

/** Joins short neighbours of a book that has more paragraphs than a project can have. Throws where that is not enough. */
export function fitChapters(
  chapters: readonly SplitChapter[],
  limits: { readonly chapters: number; readonly paragraphs: number } = PROJECT_LIMITS,
): readonly SplitChapter[] {
  if (chapters.length > limits.chapters) {
    throw new Error(`The text has ${chapters.length} chapters; a project has at most ${limits.chapters}`);
  }
  for (const length of LENGTHS) {
    const joined = length === 0 ? chapters : chapters.map((chapter) => joinShort(chapter, length));
    if (countParagraphs(joined) <= limits.paragraphs) return joined;
  }
  throw new Error("The text is too long for one project. Divide it into several");
}

function joinShort({ title, paragraphs }: SplitChapter, length: number): SplitChapter {
  const joined: { text: string }[] = [];
  for (const { text } of paragraphs) {
    const last = joined.at(-1);
    if (last !== undefined && last.text.length + 1 + text.length <= length) last.text += `\n${text}`;
    else joined.push({ text });
  }
  return { title, paragraphs: joined };
}

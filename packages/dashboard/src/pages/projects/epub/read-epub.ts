import { fittingParagraphs, PROJECT_LIMITS, type SplitChapter } from "@parlance/protocol";
import { openArchive, type UnzipLimits } from "../../../lib/unzip.ts";
import { contentBlocks } from "./content-blocks.ts";
import { packagePath, readContents, readPackage } from "./package-document.ts";

export interface Book {
  readonly title: string;
  readonly chapters: readonly SplitChapter[];
}

/** Pictures and fonts are not unpacked, so the archive may be much larger than its text. */
export const EPUB_LIMITS: UnzipLimits & { readonly documents: number } = {
  archiveBytes: 500_000_000,
  entries: 10_000,
  directoryBytes: 4_000_000,
  fileBytes: 8_000_000,
  totalBytes: 32_000_000,
  documents: 3000,
};

const CONTAINER = "META-INF/container.xml";
const ENCRYPTION = "META-INF/encryption.xml";

/** The text of a book. `limits` are lower in tests. */
export async function readEpub(file: Blob, limits = EPUB_LIMITS): Promise<Book> {
  const archive = await openArchive(file, limits);
  if (!archive.names.has(CONTAINER)) throw new Error("This is not an EPUB: META-INF/container.xml is missing");
  const path = packagePath(await archive.text(CONTAINER));
  const { title, documents, contents } = readPackage(path, await archive.text(path));
  if (documents.length > limits.documents) throw new Error(`The book has more than ${limits.documents} documents`);
  const encryption = archive.names.has(ENCRYPTION) ? await archive.text(ENCRYPTION) : "";
  // Fonts may be encrypted in a book that can be read.
  if (documents.some((each) => encryption.includes(`"${each}"`)))
    throw new Error("This book is protected against reading");
  const hasContents = contents !== undefined && archive.names.has(contents);
  const labels = hasContents ? readContents(contents, await archive.text(contents)) : new Map<string, string>();
  const collector = createCollector(title);
  for (const each of documents) collector.add(await archive.text(each), labels.get(each));
  return { title, chapters: collector.chapters() };
}

/** Puts paragraphs into chapters: by the table of contents, and by headings. */
function createCollector(firstTitle: string) {
  const chapters: { title: string; readonly paragraphs: { text: string }[] }[] = [];
  let current: (typeof chapters)[number] | undefined;
  const begin = (title: string): void => {
    current = { title: title.slice(0, PROJECT_LIMITS.titleCharacters), paragraphs: [] };
    chapters.push(current);
  };
  return {
    add(document: string, label: string | undefined): void {
      if (label !== undefined) begin(label);
      // Several headings on top of each other are one chapter: "Chapter 1", "The Road".
      let headingsOnly = label !== undefined;
      for (const { text, isHeading } of contentBlocks(document)) {
        if (isHeading && !headingsOnly) begin(text);
        headingsOnly = isHeading;
        if (current === undefined) begin(firstTitle);
        for (const part of fittingParagraphs(text)) current?.paragraphs.push({ text: part });
      }
    },
    chapters: () => chapters.filter(({ paragraphs }) => paragraphs.length > 0),
  };
}

import { PROJECT_LIMITS, type SplitChapter, splitText } from "@parlance/protocol";
import { fitChapters } from "./fit-chapters.ts";

/** A text that was opened, divided into chapters. */
export interface Source {
  readonly title: string;
  readonly chapters: readonly SplitChapter[];
}

/** Reads a text, Markdown or an EPUB. */
export async function readSource(file: File): Promise<Source> {
  const name = file.name.replace(/\.[^.]*$/, "").slice(0, PROJECT_LIMITS.titleCharacters);
  if (/\.epub$/i.test(file.name) || file.type === "application/epub+zip") {
    // Not needed by other files.
    const { readEpub } = await import("./epub/read-epub.ts");
    const { title, chapters } = await readEpub(file);
    return withWords({ title: title.slice(0, PROJECT_LIMITS.titleCharacters) || name, chapters });
  }
  if (file.size > PROJECT_LIMITS.bodyBytes) {
    throw new Error(`The file is larger than ${PROJECT_LIMITS.bodyBytes / 1024 / 1024} MiB`);
  }
  return withWords(divide(name, decodeText(await file.arrayBuffer())));
}

export function divide(title: string, text: string): Source {
  return { title, chapters: splitText(text, title || "Text") };
}

function withWords({ title, chapters }: Source): Source {
  if (chapters.length === 0) throw new Error("There is no text in this file");
  return { title, chapters: fitChapters(chapters) };
}

/** UTF-8, UTF-16 with its mark, or else the encoding of old texts from Windows. */
function decodeText(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes.slice(0, 2));
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  if (new Uint8Array(bytes).includes(0)) throw new Error("This file is not a text, Markdown or EPUB");
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

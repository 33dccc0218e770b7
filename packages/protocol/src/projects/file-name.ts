interface NamedProject {
  readonly title: string;
  readonly chapters: readonly { readonly title: string }[];
}

const MAX_CHARACTERS = 100;

/** The name of an export: the title of the project, or the number and title of one chapter. */
export function projectFileName(
  { title, chapters }: NamedProject,
  chapter: number | undefined,
  extension: string,
): string {
  if (chapter === undefined) return `${usable(title) || "project"}.${extension}`;
  const number = String(chapter + 1).padStart(String(chapters.length).length, "0");
  return `${[number, usable(chapters[chapter]?.title ?? "")].filter(Boolean).join(" ")}.${extension}`;
}

/** Without signs that file systems or headers do not take, such as halves of surrogate pairs. */
function usable(name: string): string {
  const plain = name.replace(/[\\/:*?"<>|\p{C}]+/gu, " ").replace(/\s+/g, " ");
  return [...plain]
    .slice(0, MAX_CHARACTERS)
    .join("")
    .replace(/^[.\s]+|\s+$/g, "");
}

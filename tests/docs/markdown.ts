/** A fenced block of a Markdown page. */
export interface CodeBlock {
  readonly language: string;
  readonly code: string;
}

/** The fenced blocks of a page, in their order. */
export function codeBlocks(markdown: string): CodeBlock[] {
  const found = markdown.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm);
  return [...found].map(([, language = "", code = ""]) => ({ language, code }));
}

/** The page without its fenced blocks. */
export const withoutCodeBlocks = (markdown: string): string => markdown.replace(/^```\w*\n[\s\S]*?^```$/gm, "");

/** The anchors that GitHub gives the headings of a page. */
export function anchorsOf(markdown: string): Set<string> {
  const headings = withoutCodeBlocks(markdown).matchAll(/^#{1,6} (.+)$/gm);
  return new Set(
    [...headings].map(([, heading = ""]) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, "")
        .trim()
        .replaceAll(" ", "-"),
    ),
  );
}

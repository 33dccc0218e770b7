import { readXml } from "./read-xml.ts";

export interface Block {
  readonly text: string;
  /** Whether it is a heading that begins a chapter. */
  readonly isHeading: boolean;
}

const HEADINGS = new Set(["h1", "h2"]);
const BLOCKS = new Set(
  (
    "address article aside blockquote body caption dd div dl dt figcaption figure footer form h1 h2 h3 h4 h5 h6 " +
    "header hr li main ol p pre section table tbody td tfoot th thead tr ul"
  ).split(" "),
);
/** Not part of the text: `rt` and `rp` are how characters are read, beside the characters. */
const SILENT = new Set(["head", "script", "style", "template", "svg", "math", "rt", "rp", "nav"]);
const SILENT_TYPES = /\b(?:noteref|pagebreak|toc)\b/;

/** The paragraphs and headings of an XHTML document. */
export function contentBlocks(document: string): readonly Block[] {
  const blocks: Block[] = [];
  let text = "";
  let silent = 0;
  let heading = 0;
  const flush = (): void => {
    const lines = text
      .split("\u2028")
      .map((line) => line.replace(/[\s\u00ad]+/g, (gap) => (/\s/.test(gap) ? " " : "")).trim());
    const joined = lines.filter(Boolean).join("\n");
    if (joined !== "")
      blocks.push({ text: heading > 0 ? joined.replaceAll("\n", " ") : joined, isHeading: heading > 0 });
    text = "";
  };
  const silentStack: boolean[] = [];
  readXml(document, {
    open(name, attributes) {
      const isSilent = SILENT.has(name) || SILENT_TYPES.test(attributes["epub:type"] ?? "");
      silentStack.push(isSilent);
      if (isSilent) silent += 1;
      if (name === "br") text += "\u2028";
      if (!BLOCKS.has(name)) return;
      flush();
      if (HEADINGS.has(name)) heading += 1;
    },
    close(name) {
      if (silentStack.pop()) silent -= 1;
      if (!BLOCKS.has(name)) return;
      flush();
      if (HEADINGS.has(name)) heading -= 1;
    },
    text(piece) {
      if (silent === 0) text += piece.replaceAll("\u2028", " ");
    },
  });
  flush();
  return blocks;
}

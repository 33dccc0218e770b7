import { SaxesParser } from "saxes";
import { XHTML_ENTITIES } from "./entities.ts";

export interface XmlHandler {
  /** The name without its prefix, in lower case. */
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  close(name: string): void;
  text?(text: string): void;
}

/** Nothing that is written by people or programs is nested this deep. */
export const MAX_DEPTH = 200;

/**
 * Reads a document of an EPUB. Nothing is fetched, and no entities but those of XHTML are expanded. Documents that are
 * not well-formed are read as far as they make sense: a book is not refused because of one tag.
 */
export function readXml(document: string, handler: XmlHandler): void {
  const parser = new SaxesParser({ xmlns: false });
  Object.assign(parser.ENTITIES, XHTML_ENTITIES);
  let depth = 0;
  parser.on("error", () => {});
  parser.on("opentag", ({ name, attributes }) => {
    depth += 1;
    if (depth > MAX_DEPTH) throw new Error(`The file is nested more than ${MAX_DEPTH} levels deep`);
    handler.open(localName(name), attributes);
  });
  parser.on("closetag", ({ name }) => {
    depth -= 1;
    handler.close(localName(name));
  });
  parser.on("text", (text) => handler.text?.(text));
  parser.on("cdata", (text) => handler.text?.(text));
  // The parser would take everything after such an ampersand for the name of an entity.
  parser.write(document.replace(/&(?!#?\w{1,32};)/g, "&amp;"));
  parser.close();
}

const localName = (name: string): string => name.slice(name.indexOf(":") + 1).toLowerCase();

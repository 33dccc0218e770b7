import { readXml } from "./read-xml.ts";

export interface PackageDocument {
  readonly title: string;
  /** The documents of the book, in the order of reading. */
  readonly documents: readonly string[];
  /** The table of contents; undefined: there is none. */
  readonly contents: string | undefined;
}

/** The path of the package document, by META-INF/container.xml. */
export function packagePath(container: string): string {
  let path: string | undefined;
  readXml(container, {
    open(name, attributes) {
      if (name === "rootfile") path ??= attributes["full-path"];
    },
    close() {},
  });
  if (path === undefined) throw new Error("This is not an EPUB: it names no package document");
  return path;
}

/** Reads the package document at `path`. */
export function readPackage(path: string, document: string): PackageDocument {
  const items = new Map<string, { readonly path: string; readonly isText: boolean; readonly isContents: boolean }>();
  const spine: string[] = [];
  let contentsId: string | undefined;
  let title = "";
  let inTitle = false;
  readXml(document, {
    open(name, attributes) {
      inTitle = name === "title" && title === "";
      if (name === "item") {
        const { id = "", href = "", properties = "", "media-type": type = "" } = attributes;
        const isContents = properties.split(/\s+/).includes("nav");
        items.set(id, { path: resolvePath(path, href), isText: /html|xml/.test(type), isContents });
      } else if (name === "itemref" && attributes.linear !== "no") spine.push(attributes.idref ?? "");
      else if (name === "spine") contentsId = attributes.toc;
    },
    close() {
      inTitle = false;
    },
    text(text) {
      if (inTitle) title += text;
    },
  });
  const contents = [...items.values()].find(({ isContents }) => isContents) ?? items.get(contentsId ?? "");
  const documents = spine.flatMap((id) => {
    const item = items.get(id);
    return item?.isText && !item.isContents ? [item.path] : [];
  });
  return { title: title.replace(/\s+/g, " ").trim(), documents, contents: contents?.path };
}

/** The first label of each document in a table of contents, which is XHTML or NCX. */
export function readContents(path: string, document: string): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  let label = "";
  let target: string | undefined;
  let inNav = 0;
  const add = (href: string | undefined): void => {
    const [file = ""] = (href ?? "").split("#");
    const title = label.replace(/\s+/g, " ").trim();
    const full = resolvePath(path, file);
    if (file !== "" && title !== "" && !labels.has(full)) labels.set(full, title);
  };
  readXml(document, {
    open(name, attributes) {
      // A nav of pages or landmarks is no table of contents.
      if (name === "nav") inNav += /\btoc\b/.test(attributes["epub:type"] ?? "") ? 1 : 0;
      if (name === "a" && inNav > 0) [target, label] = [attributes.href, ""];
      if (name === "navlabel") label = "";
      if (name === "content") add(attributes.src);
    },
    close(name) {
      if (name === "nav") inNav = Math.max(0, inNav - 1);
      if (name === "a" && target !== undefined) {
        add(target);
        target = undefined;
      }
    },
    text(text) {
      label += text;
    },
  });
  return labels;
}

/** A path of the archive, relative to the file that names it. */
function resolvePath(from: string, href: string): string {
  let decoded = href;
  try {
    decoded = decodeURIComponent(href);
  } catch {
    // A name with a percent sign that is no escape.
  }
  const parts = from.split("/").slice(0, -1);
  for (const part of decoded.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}

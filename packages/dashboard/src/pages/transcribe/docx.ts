import { type AsrSegment, turnsOf } from "@parlance/protocol";
import { formatClock } from "../../lib/format.ts";
import { zip } from "../../lib/zip.ts";

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument";
const WORDS = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const MAIN_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml";
export const DOCX_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

/** A transcript as a Word document: its title, and a paragraph for each turn or each paragraph of the text. */
export function toDocx(title: string, text: string, segments: readonly AsrSegment[]): Blob {
  const paragraphs = [paragraph([run(title, "<w:b/><w:sz w:val='32'/>")]), ...bodyOf(text, segments)];
  const files = [
    {
      name: "[Content_Types].xml",
      content: `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="${MAIN_TYPE}"/></Types>`,
    },
    {
      name: "_rels/.rels",
      content: `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}" Target="word/document.xml"/></Relationships>`,
    },
    {
      name: "word/document.xml",
      content: `${HEAD}<w:document xmlns:w="${WORDS}"><w:body>${paragraphs.join("")}</w:body></w:document>`,
    },
  ];
  return new Blob([zip(files)], { type: DOCX_TYPE });
}

function bodyOf(text: string, segments: readonly AsrSegment[]): readonly string[] {
  if (segments.every(({ speaker }) => speaker === undefined)) {
    return text.split(/\n+/).map((line) => paragraph([run(line)]));
  }
  return turnsOf(segments).map(({ speaker = "", segments: spoken }) => {
    const name = `${speaker} (${formatClock(spoken[0]?.start ?? 0)}): `;
    return paragraph([run(name, "<w:b/>"), run(spoken.map((segment) => segment.text).join(" "))]);
  });
}

function paragraph(runs: readonly string[]): string {
  return `<w:p>${runs.join("")}</w:p>`;
}

function run(text: string, properties = ""): string {
  const look = properties === "" ? "" : `<w:rPr>${properties}</w:rPr>`;
  return `<w:r>${look}<w:t xml:space="preserve">${escapeXml(text)}</w:t></w:r>`;
}

/** XML has no place for most control characters, not even escaped. */
function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}

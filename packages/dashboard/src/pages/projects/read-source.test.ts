import assert from "node:assert/strict";
import { test } from "node:test";
import { PROJECT_LIMITS } from "@parlance/protocol";
import { zip } from "../../lib/zip.ts";
import { readSource } from "./read-source.ts";

const opened = (bytes: Uint8Array<ArrayBuffer> | string, name = "A story.txt") => readSource(new File([bytes], name));
const textOf = async (bytes: Uint8Array<ArrayBuffer>) => (await opened(bytes)).chapters[0]?.paragraphs[0]?.text;

test("a text is named after its file, and divided at its headings", async () => {
  const { title, chapters } = await opened("# One\n\nHello.\n\n# Two\n\nBye.", "A story.v2.md");
  assert.equal(title, "A story.v2");
  assert.deepEqual(
    chapters.map((chapter) => chapter.title),
    ["One", "Two"],
  );
});

test("texts in UTF-8, UTF-16 and the encoding of Windows are read", async () => {
  assert.equal(await textOf(Uint8Array.from(Buffer.from("\ufeffÀ côté", "utf8"))), "À côté");
  assert.equal(await textOf(Uint8Array.from(Buffer.from("\ufeffÀ côté", "utf16le"))), "À côté");
  assert.equal(await textOf(Uint8Array.from(Buffer.from("\ufeffÀ côté", "utf16le").swap16())), "À côté");
  assert.equal(await textOf(Uint8Array.from(Buffer.from("À côté", "latin1"))), "À côté");
});

test("files that are no text, empty or too large are refused", async () => {
  await assert.rejects(opened(new Uint8Array(100)), /not a text, Markdown or EPUB/);
  await assert.rejects(opened(" \n\n "), /no text/);
  await assert.rejects(opened(new Uint8Array(PROJECT_LIMITS.bodyBytes + 1).fill(97)), /larger than 8 MiB/);
});

test("an EPUB without a title is named after its file", async () => {
  const files = [
    { name: "META-INF/container.xml", content: '<container><rootfile full-path="b.opf"/></container>' },
    {
      name: "b.opf",
      content:
        '<package><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>',
    },
    { name: "a.xhtml", content: "<html><body><p>Hello.</p></body></html>" },
  ];
  const { title, chapters } = await readSource(new File([zip(files)], "Book.EPUB"));
  assert.deepEqual([title, chapters[0]?.paragraphs], ["Book", [{ text: "Hello." }]]);
});

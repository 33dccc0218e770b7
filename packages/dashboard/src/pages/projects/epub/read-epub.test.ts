import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { type ZipFile, zip } from "../../../lib/zip.ts";
import { EPUB_LIMITS, readEpub } from "./read-epub.ts";
import { MAX_DEPTH } from "./read-xml.ts";

const CONTAINER = {
  name: "META-INF/container.xml",
  content: '<?xml version="1.0"?><container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
};
const page = (body: string) =>
  `<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body>${body}</body></html>`;

function opf(documents: readonly string[], more = ""): string {
  const items = documents.map(
    (name, index) => `<item id="d${index}" href="${name}" media-type="application/xhtml+xml"/>`,
  );
  const refs = documents.map((_, index) => `<itemref idref="d${index}"/>`);
  return `<package><metadata><dc:title>A &amp; B</dc:title></metadata><manifest>${items.join("")}${more}</manifest><spine>${refs.join("")}</spine></package>`;
}

function book(bodies: readonly string[]) {
  const documents = bodies.map((content, index) => ({ name: `OEBPS/text/${index}.xhtml`, content: page(content) }));
  const names = bodies.map((_, index) => `text/${index}.xhtml`);
  return [CONTAINER, { name: "OEBPS/book.opf", content: opf(names) }, ...documents];
}

/** An archive with compressed files. The directory may state another size than the files have. */
function packedZip(files: readonly ZipFile[], statedBytes?: number): Blob {
  const parts: Buffer<ArrayBuffer>[] = [];
  const directory: Buffer<ArrayBuffer>[] = [];
  let offset = 0;
  for (const { name, content } of files) {
    const packed = Buffer.from(deflateRawSync(content));
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50);
    head.writeUInt16LE(8, 8);
    head.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50);
    entry.writeUInt16LE(8, 10);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt32LE(statedBytes ?? content.length, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(offset, 42);
    parts.push(head, Buffer.from(name), packed);
    directory.push(entry, Buffer.from(name));
    offset += head.length + name.length + packed.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(offset, 16);
  return new Blob([...parts, ...directory, end]);
}

const outline = ({ chapters }: Awaited<ReturnType<typeof readEpub>>) =>
  chapters.map(({ title, paragraphs }) => [title, ...paragraphs.map(({ text }) => text)]);

test("headings begin chapters, and documents without one continue", async () => {
  const read = await readEpub(
    zip(
      book([
        "<h1>One</h1><h2>The <i>Road</i></h2><p>It was&nbsp;late,\n and co&shy;ld.<br/>Very.</p>",
        '<p>More<a epub:type="noteref">7</a> &unknown; R&D.</p><script>no()</script>',
        "<section><h2>Two</h2><ul><li>a</li><li>b</li></ul></section>",
      ]),
    ),
  );
  assert.equal(read.title, "A & B");
  assert.deepEqual(outline(read), [
    ["One", "One", "The Road", "It was late, and cold.\nVery.", "More &unknown; R&D."],
    ["Two", "Two", "a", "b"],
  ]);
});

test("the table of contents names chapters, in the form of EPUB 3 and 2", async () => {
  const nav = page(
    '<nav epub:type="toc"><a href="text/0.xhtml#x">First <b>part</b></a><a href="text/1%2Ehtml">Second</a></nav>',
  );
  const ncx =
    '<ncx><navPoint><navLabel><text>First part</text></navLabel><content src="text/0.xhtml"/></navPoint></ncx>';
  for (const [name, content, item, expected] of [
    ["nav.xhtml", nav, '<item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>', "Second"],
    ["toc.ncx", ncx, '<item id="n" href="toc.ncx" media-type="application/x-dtbncx+xml"/>', undefined],
  ] as const) {
    const text = opf(["text/0.xhtml", "text/1.html"], item).replace("<spine>", '<spine toc="n">');
    const read = await readEpub(
      zip([
        CONTAINER,
        { name: "OEBPS/book.opf", content: text },
        { name: `OEBPS/${name}`, content },
        { name: "OEBPS/text/0.xhtml", content: page("<p>Hello.</p>") },
        { name: "OEBPS/text/1.html", content: page("<p>There.</p>") },
      ]),
    );
    const second =
      expected === undefined
        ? [["First part", "Hello.", "There."]]
        : [
            ["First part", "Hello."],
            [expected, "There."],
          ];
    assert.deepEqual(outline(read), second, name);
  }
});

test("compressed files are read", async () => {
  const read = await readEpub(packedZip(book(["<h1>One</h1><p>Packed.</p>"])));
  assert.deepEqual(outline(read), [["One", "One", "Packed."]]);
});

test("an archive that unpacks to more than is allowed is refused, whatever size it states", async () => {
  const bomb = packedZip(book([`<p>${"a".repeat(3_000_000)}</p>`]), 10);
  assert.ok(bomb.size < 20_000, `packed to ${bomb.size} bytes`);
  await assert.rejects(readEpub(bomb, { ...EPUB_LIMITS, fileBytes: 1_000_000 }), /larger than 1 MB/);
});

test("the sum of all files has a limit", async () => {
  const many = packedZip(book(Array.from({ length: 8 }, () => `<p>${"a".repeat(500_000)}</p>`)));
  await assert.rejects(readEpub(many, { ...EPUB_LIMITS, totalBytes: 2_000_000 }), /is larger than/);
  assert.equal((await readEpub(many)).chapters.length, 1);
});

test("entries, directory, archive, documents and depth have limits", async () => {
  const small = zip(book(["<p>a</p>", "<p>b</p>"]));
  for (const [limit, value, pattern] of [
    ["entries", 3, /more than 3 files/],
    ["directoryBytes", 50, /directory of the archive is larger/],
    ["archiveBytes", 100, /The file is larger/],
    ["documents", 1, /more than 1 documents/],
  ] as const) {
    await assert.rejects(readEpub(small, { ...EPUB_LIMITS, [limit]: value }), pattern, limit);
  }
  const deep = "<div>".repeat(MAX_DEPTH) + "</div>".repeat(MAX_DEPTH);
  await assert.rejects(readEpub(zip(book([deep]))), /nested more than 200/);
});

test("what is not an EPUB, is damaged or protected is named", async () => {
  await assert.rejects(readEpub(new Blob(["hello"])), /not a ZIP/);
  await assert.rejects(readEpub(new Blob([])), /not a ZIP/);
  await assert.rejects(readEpub(zip([{ name: "a.txt", content: "a" }])), /not an EPUB/);
  await assert.rejects(readEpub(zip([CONTAINER])), /OEBPS\/book\.opf is missing/);
  const encryption = { name: "META-INF/encryption.xml", content: '<CipherReference URI="OEBPS/text/0.xhtml"/>' };
  await assert.rejects(readEpub(zip([...book(["<p>x</p>"]), encryption])), /protected/);
  const whole = new Uint8Array(await packedZip(book(["<p>x</p>"])).arrayBuffer());
  // Any byte may be wrong: there is an answer, and it is an Error of ours or the text.
  for (let at = 0; at < whole.length; at += 7) {
    const broken = whole.slice();
    broken[at] = (broken[at] ?? 0) ^ 0xff;
    await readEpub(new Blob([broken])).catch((error: unknown) => {
      assert.ok(error instanceof Error && !(error instanceof TypeError), `byte ${at}: ${String(error)}`);
    });
  }
});

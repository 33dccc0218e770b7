import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32 } from "node:zlib";
import { toDocx } from "./docx.ts";

/** The files of an archive without compression, by its directory. Checks sizes, names and checksums. */
function filesIn(bytes: Buffer): Map<string, string> {
  const end = bytes.length - 22;
  assert.equal(bytes.readUInt32LE(end), 0x06054b50);
  const files = new Map<string, string>();
  let at = bytes.readUInt32LE(end + 16);
  for (let file = 0; file < bytes.readUInt16LE(end + 10); file++) {
    assert.equal(bytes.readUInt32LE(at), 0x02014b50);
    const [crc, size, nameSize] = [
      bytes.readUInt32LE(at + 16),
      bytes.readUInt32LE(at + 24),
      bytes.readUInt16LE(at + 28),
    ];
    const name = bytes.toString("utf8", at + 46, at + 46 + nameSize);
    const local = bytes.readUInt32LE(at + 42);
    assert.equal(bytes.readUInt32LE(local), 0x04034b50);
    assert.equal(bytes.toString("utf8", local + 30, local + 30 + nameSize), name);
    const content = bytes.subarray(local + 30 + nameSize, local + 30 + nameSize + size);
    assert.equal(crc32(content), crc);
    files.set(name, content.toString("utf8"));
    at += 46 + nameSize;
  }
  assert.equal(at, end);
  return files;
}

test("a Word document is a valid archive with a paragraph for each turn", async () => {
  const segments = [
    { text: "Hello & <welcome>.", start: 0, end: 1, speaker: "Ann" },
    { text: "Thanks.\u0000", start: 61, end: 62, speaker: "B" },
  ];
  const files = filesIn(Buffer.from(await toDocx("Talk", "", segments).arrayBuffer()));
  assert.deepEqual([...files.keys()], ["[Content_Types].xml", "_rels/.rels", "word/document.xml"]);
  assert.match(
    files.get("word/document.xml") ?? "",
    /Talk.*Ann \(0:00\): .*Hello &amp; &lt;welcome&gt;\..*B \(1:01\): .*Thanks\.</,
  );
});

test("a text without speakers keeps its paragraphs", async () => {
  const files = filesIn(Buffer.from(await toDocx("Talk", "One.\nTwo.", []).arrayBuffer()));
  assert.equal(files.get("word/document.xml")?.match(/<w:p>/g)?.length, 3);
});

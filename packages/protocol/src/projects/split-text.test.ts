import assert from "node:assert/strict";
import { test } from "node:test";
import { PROJECT_LIMITS } from "./projects.ts";
import { splitText, splitTextPieces } from "./split-text.ts";

const outline = (text: string) =>
  splitText(text, "Untitled").map(({ title, paragraphs }) => [title, ...paragraphs.map((each) => each.text)]);

test("headings begin chapters, and empty lines separate paragraphs", () => {
  assert.deepEqual(
    outline("Before.\r\n\r\n# One\n\nA **bold** [link](https://x.org) and _more_.\nNext line.\n\n* * *\n\n- item"),
    [
      ["Untitled", "Before."],
      ["One", "One", "A bold link and more.\nNext line.", "item"],
    ],
  );
  assert.deepEqual(
    outline("Chapter 1\n\nIt was late.\n\nCHAPTER II: The Road\n\nChapter houses are old buildings.\nReally."),
    [
      ["Chapter 1", "Chapter 1", "It was late."],
      ["CHAPTER II: The Road", "CHAPTER II: The Road", "Chapter houses are old buildings.\nReally."],
    ],
  );
  assert.deepEqual(outline(" \n\n "), []);
});

test("a paragraph that is too long is divided at the end of a sentence", () => {
  const long = "Some words of a sentence. ".repeat(400);
  const [, ...parts] = outline(long)[0] ?? [];
  assert.ok(parts.length > 2);
  for (const part of parts)
    assert.ok(part.length <= PROJECT_LIMITS.paragraphCharacters && part.endsWith("."), part.slice(-20));
  assert.equal(parts.join(" "), long.trim());
  assert.equal(outline("x".repeat(10_000))[0]?.slice(1).join(""), "x".repeat(10_000));
});

test("an address in a link may have parentheses", () => {
  assert.deepEqual(outline("[A](x_(b)) and [![c](d)](e)"), [["Untitled", "A and c"]]);
});

test("long lines of spaces and signs are read once", () => {
  const count = 1_000_000;
  const spaces = " ".repeat(count);
  for (const heading of [`#${spaces}${"x".repeat(300)}`, `# x${"#".repeat(count)}x`, `Chapter${spaces}1${spaces}x`]) {
    assert.equal(outline(heading)[0]?.[0], "Untitled");
  }
  for (const signs of ["[", "![", "[a](", "**a", "_a", "`", "[a](b(", "> a", "- "]) {
    assert.equal(outline(signs.repeat(count)).length, 1, signs);
  }
  for (const breaks of ["\n", "\r", "\r\n", "\n \t"]) assert.deepEqual(outline(breaks.repeat(count)), [], breaks);
});

test("the work on a text can end after each paragraph", () => {
  const counts = (text: string) => {
    const { value } = splitTextPieces(text, "Untitled").next();
    return value !== undefined && "paragraphs" in value ? [value.chapters, value.paragraphs] : undefined;
  };
  assert.deepEqual(counts("x\n\n".repeat(1_000_000)), [1, 1]);
  assert.deepEqual(counts("x\r".repeat(1_000_000)), [1, 1]);
  assert.deepEqual(counts("# x\n\n".repeat(1_000_000)), [1, 1]);
  assert.deepEqual(counts("***\n\n".repeat(1_000_000)), [0, 0]);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { understood } from "../bench/languages/compare.ts";

test("Hindi is understood in any of its usual spellings", async () => {
  for (const [expected, heard] of [
    ["हिंदी पाँच बाज़ार गई यह", "हिन्दी पांच बाजार गयी ये"],
    ["कर", "கर"],
    ["पढ़ना", "पढ़ना"],
  ] as const) {
    assert.equal(await understood(expected, heard, "hi"), 1, heard);
  }
});

test("a letter that is misheard counts once", async () => {
  assert.equal(await understood("गाड़ी", "गारी", "hi"), 0.75);
  assert.equal(await understood("पढ़ती", "पड़ती", "hi"), 0.75);
  assert.equal(await understood("घर", "गर", "hi"), 0.5);
});

test("Hindi in another script is not understood", async () => {
  for (const heard of ["گھر", "ghar"]) assert.equal(await understood("घर", heard, "hi"), 0, heard);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { voiceLanguages } from "./voice-languages.ts";

test("only languages that voices speak are offered, each once and in order", async () => {
  const items = [{ languages: ["fr"] }, { languages: ["en", "fr"] }];
  assert.deepEqual(await voiceLanguages(async () => ({ total: 2, items })), ["en", "fr"]);
  assert.deepEqual(await voiceLanguages(async () => ({ total: 0, items: [] })), []);
});

test("all pages are read, up to a limit", async () => {
  const pages: number[] = [];
  const list = async ({ page_number }: { readonly page_number: number }) => {
    pages.push(page_number);
    return { total: 250, items: [{ languages: [`l${page_number}`] }] };
  };
  assert.deepEqual(await voiceLanguages(list), ["l1", "l2", "l3"]);
  assert.deepEqual(pages, [1, 2, 3]);
  let calls = 0;
  await voiceLanguages(async () => {
    calls += 1;
    return { total: Number.MAX_SAFE_INTEGER, items: [{ languages: ["en"] }] };
  });
  assert.equal(calls, 20);
});

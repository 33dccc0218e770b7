import assert from "node:assert/strict";
import { it } from "node:test";
import { splitByLanguage } from "./language-stretches.ts";
import type { SpeechSpan } from "./spans.ts";

const regions = [
  { from: 1, to: 4 },
  { from: 5, to: 6 },
  { from: 7, to: 10 },
  { from: 12, to: 15 },
];
const span: SpeechSpan = { from: 0.8, to: 15.2, regions, certainty: 0.9 };

async function split(guesses: Readonly<Record<number, readonly [language: string, probability: number]>>) {
  const stretches = await splitByLanguage(span, "es", async ({ regions: [region] }) => {
    const [language, probability] = guesses[region?.from ?? 0] ?? assert.fail("this region is too short to be checked");
    return [{ language, probability }];
  });
  return stretches.map(({ language, span: { from, to } }) => [language, from, to]);
}

it("a span in one language stays whole", async () => {
  assert.deepEqual(await split({ 1: ["es", 0.9], 7: ["es", 0.99], 12: ["es", 0.9] }), [["es", 0.8, 15.2]]);
});

it("a span is split in the silence where the language changes", async () => {
  assert.deepEqual(await split({ 1: ["es", 0.9], 7: ["en", 0.99], 12: ["es", 0.9] }), [
    ["es", 0.8, 6.5],
    ["en", 6.5, 11],
    ["es", 11, 15.2],
  ]);
});

it("an uncertain region belongs to its neighbour, a span of such regions to the recording", async () => {
  assert.deepEqual(await split({ 1: ["fr", 0.9], 7: ["en", 0.5], 12: ["la", 0.95] }), [["fr", 0.8, 15.2]]);
  assert.deepEqual(await split({ 1: ["it", 0.5], 7: ["en", 0.4], 12: ["pt", 0.9] }), [["pt", 0.8, 15.2]]);
  assert.deepEqual(await split({ 1: ["it", 0.5], 7: ["en", 0.4], 12: ["nn", 0.9] }), [["es", 0.8, 15.2]]);
});

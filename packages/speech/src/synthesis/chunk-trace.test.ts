import assert from "node:assert/strict";
import { it } from "node:test";
import { recordSpans } from "../testing/record-spans.ts";
import { planChunks } from "../text/index.ts";
import { tracePlanning } from "./chunk-trace.ts";

it("traced chunks are the same, with a span for each that counts its characters", () => {
  const { span, spans } = recordSpans();
  const text = "Grüße! 👋 And a second sentence that is a little longer than the first. ".repeat(8);
  const options = { latency: "balanced", chunkLength: 100, minChunkLength: 50, normalize: true } as const;
  const plan = () => planChunks(text, { ...options, languageOf: () => "en-us" });
  assert.deepEqual([...tracePlanning(plan(), span)], [...plan()]);
  assert.ok(spans.length > 2);
  assert.deepEqual(
    spans.map(({ attributes }) => attributes.chunk),
    spans.map((_, index) => index),
  );
  const characters = spans.reduce((sum, { attributes }) => sum + Number(attributes.characters), 0);
  assert.equal(characters, [...text].length);
});

import assert from "node:assert/strict";
import { it } from "node:test";
import type { Span } from "../lib/tracing.ts";
import { recordSpans } from "../testing/record-spans.ts";
import { type ChunkOptions, planChunks, type SpeechChunk } from "../text/index.ts";
import { planInTurns } from "./plan-in-turns.ts";

const options: ChunkOptions = {
  latency: "balanced",
  chunkLength: 100,
  minChunkLength: 50,
  normalize: true,
  languageOf: () => "ja",
};

async function planned(text: string, span?: Span): Promise<readonly SpeechChunk[]> {
  const chunks: SpeechChunk[] = [];
  for await (const chunk of planInTurns(text, options, new AbortController().signal, span)) chunks.push(chunk);
  return chunks;
}

it("the chunks are those of the plan, with a span for each that counts its characters", async () => {
  const { span, spans } = recordSpans();
  const text = "Grüße! 👋 And a second sentence that is a little longer than the first. ".repeat(8);
  const chunks = await planned(text, span);
  assert.deepEqual(chunks, [...planChunks(text, options)]);
  assert.ok(spans.length > 2);
  assert.deepEqual(
    spans.map(({ attributes }) => attributes.chunk),
    spans.map((_, index) => index),
  );
  const characters = spans.reduce((sum, { attributes }) => sum + Number(attributes.characters), 0);
  assert.equal(characters, [...text].length);
});

/** A turn may read two sentences of the maximum length. */
const MAX_CHARACTERS = 2500;

for (const piece of ["🎉", "!", "〜", "((", "[break]", "½", "a.)", `a${"\u0301".repeat(998)} `, "[a](http://"]) {
  it(`other work has its turns while a text of ${JSON.stringify(piece.slice(0, 12))} is read`, async () => {
    let turns = 0;
    let isReading = true;
    const count = (): void => {
      turns++;
      if (isReading) setImmediate(count);
    };
    setImmediate(count);
    const text = piece.repeat(30_000 / piece.length);
    const chunks = await planned(text);
    isReading = false;
    assert.equal(chunks.map((chunk) => chunk.text).join(""), text);
    assert.ok(turns >= text.length / MAX_CHARACTERS, `${turns} turns`);
  });
}

it("stops when the request is aborted", async () => {
  const aborted = new AbortController();
  const chunks = planInTurns("🎉".repeat(15_000), options, aborted.signal);
  const first = chunks.next();
  aborted.abort(new Error("gone"));
  await assert.rejects(first, /gone/);
});

import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { wholeSamples } from "./whole-samples.ts";

it("never splits a sample and never loses a byte", async () => {
  const parts = fc.array(fc.uint8Array({ maxLength: 9 }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(parts, async (pieces) => {
      const total = pieces.reduce((sum, piece) => sum + piece.length, 0);
      if (total % 2 === 1) pieces.push(Uint8Array.of(0));
      const out: Uint8Array[] = [];
      for await (const { bytes } of wholeSamples(asParts(pieces), 2)) out.push(bytes);
      for (const bytes of out) assert.ok(bytes.length > 0 && bytes.length % 2 === 0);
      assert.deepEqual(Buffer.concat(out), Buffer.concat(pieces));
    }),
  );
});

it("fails when the audio ends inside a sample", async () => {
  await assert.rejects(async () => {
    for await (const _part of wholeSamples(asParts([Uint8Array.of(1, 2, 3)]), 2)) {
      // only the end matters
    }
  }, /inside a sample/);
});

async function* asParts(pieces: readonly Uint8Array[]) {
  for (const bytes of pieces) yield { bytes, chunk: 0 };
}

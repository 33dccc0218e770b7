import assert from "node:assert/strict";
import { it } from "node:test";
import { analysisBlob, networkVectorBlob, toAnalysis, toNetworkVector } from "./recording-analysis.ts";

const vector = Float32Array.from({ length: 128 }, (_, i) => i / 128);

it("is stored and read again", () => {
  for (const measured of [
    { pitch: 180, pitchRange: 0.375 },
    { pitch: undefined, pitchRange: undefined },
  ]) {
    const blob = { number: 0, ...analysisBlob({ vector, speechSeconds: 4.5, ...measured }) };
    assert.deepEqual(toAnalysis(blob), { weight: 4.5, vector, ...measured });
  }
});

it("has the vector of the speaker network with the version of the network", () => {
  const measured = { values: vector, network: "0123456789abcdef" };
  assert.deepEqual(toNetworkVector({ number: 0, ...networkVectorBlob(measured) }), measured);
});

it("of an earlier version has no range of the pitch", () => {
  const blob = analysisBlob({ vector, pitch: 180, pitchRange: 0.375, speechSeconds: 4.5 });
  assert.equal(blob.bytes.length, 4 * (2 + vector.length), "earlier versions take the rest as the x-vector");
  const { pitch, pitchRange } = toAnalysis({ ...blob, number: 0, text: null });
  assert.deepEqual([pitch, pitchRange], [180, undefined]);
});

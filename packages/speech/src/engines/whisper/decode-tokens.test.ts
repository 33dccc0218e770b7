import assert from "node:assert/strict";
import { test } from "node:test";
import type { DecodingSession } from "../attention/token-decoder.ts";
import { createUniformSource } from "../random.ts";
import { decodeTokens } from "./decode-tokens.ts";
import type { WhisperSettings } from "./settings.ts";

const END = 1;
const settings: WhisperSettings = {
  width: 4,
  decoder: {
    layers: 1,
    heads: 1,
    headWidth: 4,
    vocabulary: 31,
    lastHidden: "",
    keys: { output: () => "", input: () => "", shape: [] },
    crossConstants: () => [],
    stepConstants: () => [],
    attention: () => "",
    attentionLayers: [0],
  },
  alignment: { heads: [[0, 0]], delaySeconds: 0 },
  tokens: { start: 0, end: END, transcribe: 2, translate: 3, noTimes: 30, noSpeech: 4 },
  languages: new Map([["en", 5]]),
  suppressed: [],
  suppressedFirst: [],
};

/** A network that is certain of each token of a text, and of its end. */
function networkOf(text: readonly number[]): DecodingSession {
  let at = -3;
  return {
    async next() {
      const scores = new Float32Array(31);
      scores[text[at++] ?? END] = 20;
      return { scores, attention: [new Float32Array(8)] };
    },
  };
}

const decode = (text: readonly number[], maxTokens: number, signal: AbortSignal) =>
  decodeTokens(
    networkOf(text),
    settings,
    {
      language: 5,
      task: "transcribe",
      maxTokens,
      frames: 8,
      temperature: 0,
      random: createUniformSource(1),
      bias: undefined,
    },
    signal,
  );

test("a text that the network ended is complete, one that was cut off is not", async (t) => {
  const text = [10, 11, 12, 13, 14, 15];
  const whole = await decode(text, 20, t.signal);
  assert.deepEqual([whole.tokens, whole.complete], [text, true]);
  const cut = await decode(text, 4, t.signal);
  assert.deepEqual([cut.tokens, cut.complete], [text.slice(0, 4), false]);
});

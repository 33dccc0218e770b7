import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { SpeechChunk } from "../text/index.ts";
import { LivePlan, LOW_SECONDS } from "./live-plan.ts";

const options = { latency: "balanced", chunkLength: 200, minChunkLength: 50, normalize: true } as const;
const plan = (latency: "balanced" | "normal" = "balanced") =>
  new LivePlan({ ...options, latency, languageOf: () => "en-us" });

const wordsOf = (chunks: readonly SpeechChunk[]) => chunks.flatMap((chunk) => chunk.words.map((word) => word.text));

/** All chunks that can be spoken now. */
function take(from: LivePlan, ahead = 0): SpeechChunk[] {
  const chunks: SpeechChunk[] = [];
  for (let next = from.next(ahead); typeof next !== "string"; next = from.next(ahead)) chunks.push(next);
  return chunks;
}

test("a sentence is spoken when it is certainly complete", () => {
  const live = plan();
  live.push("That costs 3");
  assert.equal(live.next(0), "wait");
  live.push(".14 dollars. And so");
  assert.deepEqual(wordsOf(take(live)).join(" "), "That costs three point one four dollars");
});

test("a clause waits for its sentence while the client has enough to play", () => {
  const text = "When the wind had turned at last, the boats came home one by one";
  const calm = plan();
  calm.push(text);
  assert.equal(calm.next(LOW_SECONDS + 1), "wait");
  assert.ok((calm.changesIn(LOW_SECONDS + 1) ?? 0) > 0, "and returns when to check again");
  const urgent = plan();
  urgent.push(text);
  assert.equal(wordsOf(take(urgent)).at(-1), "last");
});

test("normal latency always waits for sentences", () => {
  const live = plan("normal");
  live.push("When the wind had turned at last, the boats came home one by one");
  assert.equal(live.next(0), "wait");
  assert.equal(live.changesIn(5), undefined);
  live.flush();
  assert.equal(wordsOf(take(live)).length, 14);
});

test("a flush speaks everything now", () => {
  const live = plan();
  live.push("Half a sentence that");
  live.flush();
  assert.equal(wordsOf(take(live, 9)).join(" "), "Half a sentence that");
  assert.equal(live.waiting, 0);
});

test("done follows the last chunk", () => {
  const live = plan();
  live.push("The end.");
  live.finish();
  assert.notEqual(live.next(0), "done");
  assert.equal(live.next(0), "done");
});

const piece = fc.constantFrom(
  ..."Hello there, |my friend. |It costs $3|.50 at 9|:30 a.m|. today! |[bre|ak] |<|speaker:1|> |Dr|. Smith |👩‍🚀 |3|.14 |and so on, |yes? |\n\n".split(
    "|",
  ),
);

test("any split of a text gives the same words", () => {
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 40 }),
      fc.array(fc.nat(6), { maxLength: 60 }),
      fc.array(fc.double({ min: 0, max: 3, noNaN: true }), { minLength: 1, maxLength: 8 }),
      (pieces, cuts, aheads) => {
        const text = pieces.join("");
        const whole = plan();
        whole.push(text);
        whole.finish();
        const expected = take(whole);

        const live = plan();
        const spoken: SpeechChunk[] = [];
        let at = 0;
        cuts.forEach((cut, index) => {
          live.push(text.slice(at, at + cut));
          at += cut;
          spoken.push(...take(live, aheads[index % aheads.length] ?? 0));
        });
        live.push(text.slice(at));
        live.finish();
        spoken.push(...take(live));
        assert.equal(live.next(0), "done");
        assert.deepEqual(wordsOf(spoken), wordsOf(expected));
        assert.equal(spoken.map((chunk) => chunk.text).join(""), text);
      },
    ),
    { numRuns: 500 },
  );
});

test("a flush at any point loses no text", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.constant("flush" as const)), { maxLength: 40 }), (steps) => {
      const live = plan();
      const spoken: SpeechChunk[] = [];
      for (const step of steps) {
        if (step === "flush") {
          live.flush();
          spoken.push(...take(live, 9));
          assert.equal(live.next(9), "wait", "a flush leaves no text");
        } else live.push(step);
      }
      live.finish();
      spoken.push(...take(live));
      assert.equal(spoken.map((chunk) => chunk.text).join(""), steps.filter((step) => step !== "flush").join(""));
    }),
    { numRuns: 500 },
  );
});

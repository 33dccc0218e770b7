import assert from "node:assert/strict";
import { it } from "node:test";
import { evolve } from "./evolution.ts";

const never = new AbortController().signal;
const options = { dimensions: 16, population: 12, generations: 40, step: 0.3, seed: 1 };
const goal = Float64Array.from({ length: 16 }, (_, i) => Math.sin(i));
const distance = (point: Float64Array) => Math.hypot(...point.map((value, i) => value - (goal[i] ?? 0)));

it("an evolution comes closer to what is wanted, the same way each time", async () => {
  let tried = 0;
  const judge = async (point: Float64Array) => {
    tried++;
    return -distance(point);
  };
  const found = await evolve(options, judge, never);
  assert.equal(tried, 480);
  assert.ok(distance(found) < 0.3 * distance(new Float64Array(16)), String(distance(found)));
  assert.deepEqual(await evolve(options, judge, never), found);
});

it("an evolution ends when it is told to", async () => {
  const controller = new AbortController();
  let tried = 0;
  const work = evolve(
    options,
    async () => {
      if (++tried === 5) controller.abort(new Error("enough"));
      return 0;
    },
    controller.signal,
  );
  await assert.rejects(work, /enough/);
  assert.equal(tried, 5);
});

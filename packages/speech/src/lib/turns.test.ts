import assert from "node:assert/strict";
import { it } from "node:test";
import { takeTurn } from "./turns.ts";

it("gives each caller a turn of the event loop of its own, in order", async () => {
  let turn = 0;
  let isCounting = true;
  const count = (): void => {
    turn++;
    if (isCounting) setImmediate(count);
  };
  const turns = Promise.all(Array.from({ length: 5 }, () => takeTurn().then(() => turn)));
  setImmediate(count);
  const taken = await turns;
  isCounting = false;
  assert.equal(new Set(taken).size, 5);
  assert.deepEqual(
    taken,
    [...taken].sort((a, b) => a - b),
  );
});

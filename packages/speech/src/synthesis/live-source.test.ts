import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep, setImmediate as turnOfLoop } from "node:timers/promises";
import type { LiveInput } from "../speech.ts";
import { liveChunks } from "./live-source.ts";

const options = {
  latency: "balanced",
  chunkLength: 200,
  minChunkLength: 50,
  normalize: true,
  languageOf: () => "en-us",
} as const;

async function collect(input: AsyncIterable<LiveInput>, ahead: () => number, signal = new AbortController().signal) {
  const given: string[] = [];
  for await (const chunk of liveChunks(options, input, ahead, signal)) {
    given.push(chunk === "idle" ? "idle" : chunk.text);
  }
  return given;
}

test("sentences leave while the text is still being written", async () => {
  let heard = 0;
  async function* writing(): AsyncGenerator<LiveInput> {
    yield { text: "Hello there, my friend. How are" };
    // Only goes on when the first sentence has been given: if it were held back, this would never end.
    while (heard === 0) await sleep(5);
    yield { text: " you today?" };
  }
  const given: string[] = [];
  for await (const chunk of liveChunks(options, writing(), () => 0, new AbortController().signal)) {
    heard++;
    if (chunk !== "idle") given.push(chunk.text);
  }
  assert.deepEqual(given, ["Hello there, my friend. ", "How are you today?"]);
});

test("a listener about to run dry gets the codec's rest, once for each silence", async () => {
  async function* writing(): AsyncGenerator<LiveInput> {
    yield { text: "All of this." };
    yield { flush: true };
    await sleep(60);
    yield { text: "And that." };
    yield { flush: true };
    await sleep(60);
  }
  assert.deepEqual(await collect(writing(), () => 0), ["All of this.", "idle", "And that.", "idle"]);
});

/** Somebody who writes this and then no more, on a clock that is moved by hand: how soon something is given, if at all. */
async function pausingAfter(context: TestContext, text: string, aheadAtFirst: number, mostSeconds: number) {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const gone = new AbortController();
  let seconds = 0;
  let given: string | undefined;
  async function* writing(): AsyncGenerator<LiveInput> {
    yield { text };
    await new Promise((resolve) => gone.signal.addEventListener("abort", resolve));
  }
  const ahead = () => Math.max(0, aheadAtFirst - seconds);
  const source = liveChunks(options, writing(), ahead, gone.signal);
  const next = source.next().then(({ value }) => {
    given = value && value !== "idle" ? value.text : value;
  });
  await turnOfLoop();
  while (given === undefined && seconds < mostSeconds) {
    seconds += 0.05;
    context.mock.timers.tick(50);
    await turnOfLoop();
  }
  gone.abort(new Error("gone"));
  await assert.rejects(given === undefined ? next : source.next(), /gone/);
  context.mock.timers.reset();
  return { given, seconds };
}

test("a clause that waited for context is spoken when the listener runs low, though no text comes", async (context) => {
  const text = "When the wind had turned at last, the boats came home one by one";
  const { given, seconds } = await pausingAfter(context, text, 1, 5);
  assert.equal(given, "When the wind had turned at last, ");
  assert.ok(seconds > 0.1, "not while he has enough to play");
  assert.ok(seconds < 1, "and before it has run dry");
});

test("a fault of the input ends the speech with that fault", async () => {
  async function* broken(): AsyncGenerator<LiveInput> {
    yield { text: "One." };
    throw new Error("the line is cut");
  }
  await assert.rejects(
    collect(broken(), () => 0),
    /the line is cut/,
  );
});

test("nothing more is read while too much waits to be spoken", async () => {
  let read = 0;
  async function* flood(): AsyncGenerator<LiveInput> {
    for (; read < 10_000; read++) yield { text: "A sentence that is soon followed by another one. " };
  }
  const source = liveChunks(options, flood(), () => 60, new AbortController().signal);
  await source.next();
  await sleep(50);
  const before = read;
  assert.ok(before < 1_000, `${before} pieces were read ahead`);
  for (let count = 0; count < 100; count++) await source.next();
  assert.ok(read > before, "and goes on once some of it is");
  await source.return(undefined);
});

test("a writer who stops after a full stop is not waited for, one who stops in a sentence or a number is", async (context) => {
  for (const [text, spoken] of [
    ["Good morning, everyone. ", true],
    ["Is that so?", true],
    ["Good morning, Dr. ", false],
    ["It costs 3.", false],
    ["Good morning", false],
  ] as const) {
    const { given } = await pausingAfter(context, text, 0, 2);
    assert.equal(given, spoken ? text : undefined);
  }
});

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep, setImmediate as yieldToEventLoop } from "node:timers/promises";
import { until } from "../../../../tests/support/until.ts";
import type { LiveInput } from "../speech.ts";
import { LivePlan } from "./live-plan.ts";
import { liveChunks } from "./live-source.ts";

const options = {
  latency: "balanced",
  chunkLength: 200,
  minChunkLength: 50,
  normalize: true,
  languageOf: () => "en-us",
} as const;

async function collect(input: AsyncIterable<LiveInput>, ahead: () => number, signal = new AbortController().signal) {
  const returned: string[] = [];
  for await (const chunk of liveChunks(new LivePlan(options), input, ahead, signal)) {
    returned.push(typeof chunk === "string" ? chunk : chunk.text);
  }
  return returned;
}

test("sentences are returned while the text is still being written", async () => {
  let received = 0;
  async function* writing(): AsyncGenerator<LiveInput> {
    yield { text: "Hello there, my friend. How are" };
    // Continues after the first sentence was returned: if it were held back, this would never end.
    await until(() => received > 0);
    yield { text: " you today?" };
  }
  const returned: string[] = [];
  for await (const chunk of liveChunks(new LivePlan(options), writing(), () => 0, new AbortController().signal)) {
    received++;
    if (typeof chunk !== "string") returned.push(chunk.text);
  }
  assert.deepEqual(returned, ["Hello there, my friend. ", "How are you today?"]);
});

test("a client about to run out of audio gets one idle for each silence", async () => {
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

test("a flush of text without words gives a short silence", async () => {
  async function* writing(): AsyncGenerator<LiveInput> {
    for (const text of ["…", "😀", " - !", "Hello. 😀", "?!", " "]) {
      yield { text };
      await sleep(20);
      yield { flush: true };
      await sleep(20);
    }
  }
  const returned = (await collect(writing(), () => 0)).filter((each) => each !== "idle");
  const spoken = returned.map((each) => (each === "silence" ? each : /\w/.test(each) ? "words" : ""));
  assert.deepEqual(
    spoken.filter((each) => each !== ""),
    ["silence", "silence", "silence", "words", "silence"],
  );
});

/** Writes a text and then nothing, with mocked timers. Returns the first chunk and when it came. */
async function pausingAfter(context: TestContext, text: string, aheadAtFirst: number, maxSeconds: number) {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const controller = new AbortController();
  let seconds = 0;
  let returned: string | undefined;
  async function* writing(): AsyncGenerator<LiveInput> {
    yield { text };
    await new Promise((resolve) => controller.signal.addEventListener("abort", resolve));
  }
  const ahead = () => Math.max(0, aheadAtFirst - seconds);
  const source = liveChunks(new LivePlan(options), writing(), ahead, controller.signal);
  const next = source.next().then(({ value }) => {
    returned = value && typeof value !== "string" ? value.text : value;
  });
  await yieldToEventLoop();
  while (returned === undefined && seconds < maxSeconds) {
    seconds += 0.05;
    context.mock.timers.tick(50);
    await yieldToEventLoop();
  }
  controller.abort(new Error("aborted"));
  await assert.rejects(returned === undefined ? next : source.next(), /aborted/);
  context.mock.timers.reset();
  return { returned, seconds };
}

test("a clause that waited for context is spoken when the client runs low, without new text", async (context) => {
  const text = "When the wind had turned at last, the boats came home one by one";
  const { returned, seconds } = await pausingAfter(context, text, 1, 5);
  assert.equal(returned, "When the wind had turned at last, ");
  assert.ok(seconds > 0.1, "not while the client has enough to play");
  assert.ok(seconds < 1, "and before it has nothing to play");
});

test("an error of the input ends the speech with that error", async () => {
  async function* broken(): AsyncGenerator<LiveInput> {
    yield { text: "One." };
    throw new Error("connection lost");
  }
  await assert.rejects(
    collect(broken(), () => 0),
    /connection lost/,
  );
});

test("the input is not read while too much text waits", async () => {
  let read = 0;
  async function* flood(): AsyncGenerator<LiveInput> {
    for (; read < 10_000; read++) yield { text: "A sentence that is soon followed by another one. " };
  }
  const source = liveChunks(new LivePlan(options), flood(), () => 60, new AbortController().signal);
  await source.next();
  await sleep(50);
  const before = read;
  assert.ok(before < 1_000, `${before} pieces were read ahead`);
  for (let count = 0; count < 100; count++) await source.next();
  assert.ok(read > before, "and continues afterwards");
  await source.return(undefined);
});

test("a pause after a complete sentence ends it, a pause inside a sentence or number does not", async (context) => {
  for (const [text, spoken] of [
    ["Good morning, everyone. ", true],
    ["Is that so?", true],
    ["Good morning, Dr. ", false],
    ["It costs 3.", false],
    ["Good morning", false],
  ] as const) {
    const { returned } = await pausingAfter(context, text, 0, 2);
    assert.equal(returned, spoken ? text : undefined);
  }
});

test("an input that fails while it is left disturbs nobody", { timeout: 10_000 }, async () => {
  let hasLeft = false;
  async function* writing(): AsyncGenerator<LiveInput> {
    try {
      for (;;) yield { text: "Hello there, my friend. " };
    } finally {
      hasLeft = true;
      // biome-ignore lint/correctness/noUnsafeFinally: it is what the test is about
      throw new Error("the input cannot be closed");
    }
  }
  for await (const _ of liveChunks(new LivePlan(options), writing(), () => 0, new AbortController().signal)) break;
  await until(() => hasLeft, { timeoutMs: 5_000 });
  // An unhandled rejection would end the test.
  await yieldToEventLoop();
});

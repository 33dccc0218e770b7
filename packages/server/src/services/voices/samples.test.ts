import assert from "node:assert/strict";
import { it } from "node:test";
import { orAborted } from "../../lib/time-limit.ts";
import { openStore } from "../../stores/open-store.ts";
import { keepCollectingGarbage } from "../../testing/collect-garbage.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { until } from "../../testing/until.ts";
import { clonedVoice } from "../../testing/voice-record.ts";
import { createVoiceSamples } from "./samples.ts";

it("leaves nothing of a sample that was made", { timeout: 30_000 }, async (context) => {
  const store = await openStore({ data: await temporaryFolder(context), databaseUrl: undefined });
  context.after(() => store.close());
  const signals: WeakRef<AbortSignal>[] = [];
  const speech = {
    async *speak(_request: unknown, signal: AbortSignal) {
      signal.addEventListener("abort", () => {});
      signals.push(new WeakRef(signal));
      yield { bytes: Uint8Array.of(1) } as never;
    },
  };
  const voices = { spoken: async () => ({ engine: "piper", id: "any" }) as never };
  const samples = createVoiceSamples({ store, speech, voices });
  await samples.get(clonedVoice({ userId: "user" }), new AbortController().signal);
  keepCollectingGarbage(context);
  assert.equal(signals.length, 1);
  await until(() => signals[0]?.deref() === undefined, { what: "the signal of the sample is collected" });
});

it("a sample that takes too long is refused, also after a garbage collection", { timeout: 30_000 }, async (context) => {
  const store = await openStore({ data: await temporaryFolder(context), databaseUrl: undefined });
  context.after(() => store.close());
  keepCollectingGarbage(context);
  const speech = {
    // An engine that returns nothing.
    async *speak(_request: unknown, signal: AbortSignal) {
      await orAborted(new Promise<never>(() => {}), signal);
      yield assert.fail("there is no audio");
    },
  };
  const voices = { spoken: async () => ({ engine: "piper", id: "any" }) as never };
  const samples = createVoiceSamples({ store, speech, voices }, 200);
  await assert.rejects(samples.get(clonedVoice({ userId: "user" }), new AbortController().signal), {
    code: "overloaded",
  });
});

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { loadEspeak } from "../g2p/espeak.ts";
import { createPronouncer } from "../g2p/pronounce.ts";
import { countSessions } from "../testing/count-sessions.ts";
import { testModels } from "../testing/models.ts";
import { kokoro } from "./kokoro/descriptor.ts";
import { engineDescriptors, recognizerDescriptors } from "./registry.ts";

/** Loads with all sessions, then with each of them as the one that fails. */
async function leavesNoneOpen(t: TestContext, load: () => Promise<{ close(): Promise<void> }>): Promise<void> {
  const { open, all, restore } = countSessions(t);
  await (await load()).close();
  assert.equal(open.size, 0, "after it was closed");
  assert.ok(all() > 1, `${all()} sessions`);
  restore();
  for (let failing = 0; failing < all(); failing++) {
    const sessions = countSessions(t, failing);
    await assert.rejects(load(), /out of memory/);
    assert.equal(sessions.open.size, 0, `after session ${failing} failed`);
    sessions.restore();
  }
}

const pronounce = createPronouncer(await loadEspeak());

for (const { name, requiredModel, qualityMeaning, locate, load } of engineDescriptors) {
  for (const quality of qualityMeaning === undefined ? (["fast"] as const) : (["fast", "full"] as const)) {
    test(`${name} in ${quality} quality leaves no session open when one fails`, { timeout: 120_000 }, async (t) => {
      const files = await locate(await testModels(requiredModel), quality);
      await leavesNoneOpen(t, () => load(files, { threads: 1, quality, pronounce }));
    });
  }
}

for (const { name, model, locate, load } of recognizerDescriptors) {
  test(`${name} leaves no session open when one fails`, { timeout: 120_000 }, async (t) => {
    const files = locate(await testModels(model("base")), "base");
    await leavesNoneOpen(t, () => load(files, 1));
  });
}

test("Kokoro leaves no session open when a file is missing", { timeout: 120_000 }, async (t) => {
  const files = await kokoro.locate(await testModels("kokoro-q8"), "fast");
  const { open } = countSessions(t);
  const loading = kokoro.load({ ...files, tokenizer: "/nonexistent" }, { threads: 1, quality: "fast", pronounce });
  await assert.rejects(loading, /ENOENT/);
  assert.equal(open.size, 0);
});

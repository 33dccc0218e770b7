import assert from "node:assert/strict";
import { test } from "node:test";
import type { VoiceModel } from "@parlance/protocol";
import { factsOf, matches } from "./voice-facts.ts";

const emma = {
  _id: "0".repeat(32),
  title: "Emma",
  description: "",
  languages: ["en"],
  tags: ["female", "kokoro", "en-GB"],
} as unknown as VoiceModel;

test("a stock voice says its language, accent and sex", () => {
  assert.deepEqual(factsOf(emma), { language: "English", accent: "United Kingdom", sex: "female" });
  assert.deepEqual(factsOf({ languages: ["es"], tags: [] }), { language: "Spanish", accent: "", sex: "" });
  assert.deepEqual(factsOf({ languages: [], tags: ["not-A-tag"] }), { language: "", accent: "", sex: "" });
});

test("a search finds voices by all of its words, from their start", () => {
  for (const search of ["", "emm", "english FEMALE", "kingdom", "en-gb"]) assert.ok(matches(emma, search), search);
  for (const search of ["male", "emma spanish", "mma", "(", "\\"]) assert.ok(!matches(emma, search), search);
});

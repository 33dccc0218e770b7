import assert from "node:assert/strict";
import { test } from "node:test";
import { namedVoice } from "./named-voice.ts";

test("a voice is found by id, title or short name", () => {
  const voices = [
    { _id: "1f", title: "Emma" },
    { _id: "2f", title: "Heart" },
  ];
  for (const name of ["1f", "Emma", "emma", "bf_emma"]) assert.equal(namedVoice(voices, name)?._id, "1f", name);
  assert.equal(namedVoice(voices, "nobody"), undefined);
});

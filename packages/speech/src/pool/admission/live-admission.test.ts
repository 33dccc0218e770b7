import assert from "node:assert/strict";
import { test } from "node:test";
import { SpeechError } from "../../errors.ts";
import { createLiveAdmission } from "./live-admission.ts";

const costs = { fast: 0.3, slow: 0.6 };
const isOverloaded = (error: unknown): boolean =>
  error instanceof SpeechError && error.code === "overloaded" && (error.retryAfterSeconds ?? 0) >= 1;

test("accepts streams while the workers can follow them", () => {
  const admission = createLiveAdmission({ workers: () => 2, maxStreams: 64, costs });
  const places = Array.from({ length: 5 }, () => admission.enter("fast"));
  assert.throws(() => admission.enter("fast"), isOverloaded);
  places[0]?.leave();
  places[0]?.leave();
  assert.throws(() => admission.enter("slow"), isOverloaded);
  admission.enter("fast");
  assert.throws(() => admission.enter("fast"), isOverloaded);
});

test("measured costs replace the assumed ones", () => {
  const admission = createLiveAdmission({ workers: () => 2, maxStreams: 64, costs });
  const place = admission.enter("fast");
  place.measured("fast", 100, 1000);
  for (let count = 1; count < 10; count++) admission.enter("fast");
  place.measured("slow", 600, 1000);
  assert.throws(() => {
    for (let count = 0; count < 10; count++) admission.enter("slow");
  }, isOverloaded);
});

test("one stream is always accepted, and never more than the maximum", () => {
  const single = createLiveAdmission({ workers: () => 1, maxStreams: 64, costs: { slow: 3 } });
  const place = single.enter("slow");
  assert.throws(() => single.enter("slow"), isOverloaded);
  place.leave();
  single.enter("slow");
  const few = createLiveAdmission({ workers: () => 100, maxStreams: 2, costs });
  few.enter("fast");
  few.enter("fast");
  assert.throws(() => few.enter("fast"), isOverloaded);
});

test("streams share the workers evenly", () => {
  const admission = createLiveAdmission({ workers: () => 1, maxStreams: 64, costs: { fast: 0.01 } });
  assert.equal(admission.share(), 0.3);
  for (let count = 0; count < 8; count++) admission.enter("fast");
  assert.equal(admission.share(), 0.1);
});

import assert from "node:assert/strict";
import { it } from "node:test";
import { createRequestAdmission } from "./request-admission.ts";

const overloaded = { name: "SpeechError", code: "overloaded" };

it("an owner that has taken all places keeps no other one out", () => {
  const admission = createRequestAdmission(2);
  const leave = [admission.enter("ada"), admission.enter("ada")];
  assert.throws(() => admission.enter("ada"), overloaded);
  assert.throws(() => admission.enter(), overloaded);
  leave.push(admission.enter("bob"));
  assert.throws(() => admission.enter("bob"), overloaded, "one place beyond the limit");
  leave.push(admission.enter("eve"));
  assert.throws(() => admission.enter("joe"), overloaded, "there is a limit for all");
  for (const each of leave) each();
  admission.enter("ada");
  admission.enter();
  assert.throws(() => admission.enter(), overloaded);
});

it("frees a place once", () => {
  const admission = createRequestAdmission(1);
  const leave = admission.enter("ada");
  leave();
  leave();
  admission.enter("ada");
  assert.throws(() => admission.enter("ada"), overloaded);
});

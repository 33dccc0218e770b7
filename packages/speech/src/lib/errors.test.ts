import assert from "node:assert/strict";
import { it } from "node:test";
import { errorCode, errorMessage } from "./errors.ts";

it("reads the message and the code of whatever was thrown", () => {
  assert.equal(errorMessage(new Error("broken")), "broken");
  assert.equal(errorMessage("broken"), "broken");
  assert.equal(errorCode(Object.assign(new Error("full"), { code: "ENOSPC" })), "ENOSPC");
  assert.equal(errorCode(new Error("plain")), undefined);
  assert.equal(errorCode({ code: "ENOSPC" }), undefined);
});

import assert from "node:assert/strict";
import { it } from "node:test";
import { ApiError } from "@parlance/protocol";
import { noCloning } from "./no-cloning.ts";
import { requireCloning } from "./require-cloning.ts";

function refusalOf(missing: readonly string[], requested: string[] = []): ApiError | undefined {
  try {
    requireCloning({ missingModels: () => missing, requestModels: () => requested.push(...missing) });
    return undefined;
  } catch (error) {
    assert.ok(error instanceof ApiError);
    return error;
  }
}

it("passes when all models are installed", () => {
  assert.equal(refusalOf([]), undefined);
});

it("requests missing models and answers 503 with a retry time", () => {
  const requested: string[] = [];
  const refusal = refusalOf(["xvector"], requested);
  assert.deepEqual([refusal?.code, requested], ["not_ready", ["xvector"]]);
  assert.match(refusal?.message ?? "", /xvector/);
  assert.ok((refusal?.retryAfterSeconds ?? 0) > 0);
});

it("answers without a retry time when cloning is off", () => {
  assert.throws(
    () => requireCloning(noCloning),
    (error) => error instanceof ApiError && error.code === "cloning_off" && !error.retryable,
  );
});

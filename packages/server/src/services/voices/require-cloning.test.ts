import assert from "node:assert/strict";
import { it } from "node:test";
import { ApiError } from "@parlance/protocol";
import { noCloning } from "./no-cloning.ts";
import { requireCloning, waitForCloning } from "./require-cloning.ts";

function refusalOf(missing: readonly string[], requested: string[] = []): ApiError | undefined {
  try {
    requireCloning({ missingModels: () => missing, requestModels: async () => void requested.push(...missing) });
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

it("waits for models that are being fetched", async () => {
  let missing = ["xvector"];
  async function requestModels(): Promise<void> {
    await new Promise(setImmediate);
    missing = [];
  }
  await waitForCloning({ missingModels: () => missing, requestModels }, new AbortController().signal);
});

it("answers 503 when the models do not come in time, or when they cannot be fetched", async () => {
  const { signal } = new AbortController();
  const isNotReady = (error: unknown): boolean => error instanceof ApiError && error.code === "not_ready";
  const slow = { missingModels: () => ["xvector"], requestModels: () => new Promise<void>(() => {}) };
  await assert.rejects(waitForCloning(slow, signal, 1), isNotReady);
  const failing = { missingModels: () => ["xvector"], requestModels: async () => {} };
  await assert.rejects(waitForCloning(failing, signal), isNotReady);
});

it("stops waiting when the client has gone", async () => {
  const gone = AbortSignal.abort(new Error("gone"));
  const cloning = { missingModels: () => ["xvector"], requestModels: () => new Promise<void>(() => {}) };
  await assert.rejects(waitForCloning(cloning, gone), /gone/);
});

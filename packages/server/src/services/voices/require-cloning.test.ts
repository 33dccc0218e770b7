import assert from "node:assert/strict";
import { it } from "node:test";
import { ApiError } from "@parlance/protocol";
import type { VoiceRecord } from "../../stores/voices.ts";
import { clonedVoice } from "../../testing/voice-record.ts";
import { noCloning } from "./no-cloning.ts";
import { requireCloning, requireEngine, waitForCloning } from "./require-cloning.ts";

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

it("says what to do about a voice whose engine is not installed", () => {
  const ready = { missingModels: () => [], requestModels: async () => {} };
  const codeOf = (fields: Partial<VoiceRecord>, cloning: Parameters<typeof requireEngine>[1] = ready) => {
    try {
      requireEngine(clonedVoice({ userId: "ada", ...fields }), cloning);
      return "";
    } catch (error) {
      assert.ok(error instanceof ApiError);
      return error.code;
    }
  };
  const older = { engine: "piper", speaker: "" };
  assert.equal(codeOf({}), "", "it has just been installed");
  assert.equal(codeOf({}, { ...ready, missingModels: () => ["kokoro-q8"] }), "not_ready");
  assert.equal(codeOf({ ...older, refinement: "waiting" }), "not_ready", "it is being made anew");
  assert.equal(codeOf({ ...older, refinement: "failed" }), "voice_engine_missing");
  assert.equal(codeOf({ ...older, refinement: "waiting" }, noCloning), "voice_engine_missing");
});

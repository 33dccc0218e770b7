import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../../../../tests/support/until.ts";
import { testModels } from "../testing/models.ts";
import { realSpeech } from "../testing/real-speech.ts";
import { createTranscription } from "./create-transcription.ts";

const RECORDINGS = 8;

test("many recordings of one owner delay one of another by a few jobs only", { timeout: 120_000 }, async (t) => {
  const models = await testModels("silero-vad", "moonshine-base", "whisper-base", "test-speech");
  const path = realSpeech(models).at(-1)?.path ?? assert.fail("there is no recording");
  const transcription = await createTranscription({ models, workers: 1 });
  t.after(() => transcription.close());
  const request = { path, language: "en", granularity: "segment" } as const;
  const leaving = new AbortController();
  let decoded = 0;
  let transcribed = 0;
  const onDecoded = async (): Promise<void> => void decoded++;
  const ended = Array.from({ length: RECORDINGS }, async () => {
    await transcription.transcribe({ ...request, owner: "ada", onDecoded }, leaving.signal);
    transcribed++;
  });
  const all = Promise.allSettled(ended);
  await until(() => decoded === RECORDINGS, { what: "all recordings are decoded" });
  assert.match((await transcription.transcribe({ ...request, owner: "bob" }, t.signal)).text, /ask not/i);
  assert.ok(transcribed <= 4, `${transcribed} of ${RECORDINGS} were transcribed before`);
  leaving.abort(new Error("gone"));
  await all;
});

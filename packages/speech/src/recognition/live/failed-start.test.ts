import assert from "node:assert/strict";
import { test } from "node:test";
import { testModels } from "../../testing/models.ts";
import { LIVE_FORMAT, transcribeLive } from "../../testing/transcribe-live.ts";
import { untilWorkers } from "../../testing/until-workers.ts";
import { createTranscription } from "../create-transcription.ts";

const FILLER = "PARLANCE_TEST_FILLER";

/** The system starts no process with a variable of this size. */
function refuseProcesses(): void {
  process.env[FILLER] = "x".repeat(200_000);
}

function allowProcesses(): void {
  delete process.env[FILLER];
}

test("a stream whose workers cannot be started gives its place back", { timeout: 60_000 }, async (t) => {
  t.after(allowProcesses);
  const models = await testModels("silero-vad", "moonshine-base");
  const lost: string[] = [];
  const onWorkerLost = (reason: string) => lost.push(reason);
  const transcription = await createTranscription({ models, workers: 1, maxStreams: 1, onWorkerLost });
  t.after(() => transcription.close());
  const silence = new Float32Array(0.3 * LIVE_FORMAT.sampleRate);
  const listen = () => transcribeLive(transcription, silence, { language: "en" });

  refuseProcesses();
  for (let attempt = 0; attempt < 3; attempt++) await assert.rejects(listen(), /E2BIG/);
  allowProcesses();
  assert.deepEqual((await listen()).finals, []);

  // A worker that is lost meanwhile is replaced as soon as the system allows it.
  refuseProcesses();
  for (const pid of transcription.workers()) process.kill(pid, "SIGKILL");
  await untilWorkers(() => lost.some((reason) => reason.includes("E2BIG")), "the worker was not started again");
  allowProcesses();
  assert.deepEqual((await listen()).finals, []);
});

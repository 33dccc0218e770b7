import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { sileroVad } from "../../engines/silero/models.ts";
import { countSessions } from "../../testing/count-sessions.ts";
import { decodeAudio } from "../../testing/decode-audio.ts";
import { testModels } from "../../testing/models.ts";
import { realSpeech } from "../../testing/real-speech.ts";
import { createAnalyzer } from "./analysis.ts";
import { ANALYSIS_RATE } from "./extract-speech.ts";
import { xvectorFiles } from "./xvector/files.ts";
import { xvector } from "./xvector/models.ts";

const never = new AbortController().signal;

test("what could not be loaded is loaded again with the next job", { timeout: 60_000 }, async (context) => {
  const models = await testModels(sileroVad.id, xvector.id, "test-speech");
  const [clip] = realSpeech(models);
  const { samples, sampleRate } = decodeAudio(readFileSync(clip?.path ?? ""));
  assert.equal(sampleRate, ANALYSIS_RATE);
  const recording = {
    path: "",
    samples: Int16Array.from(samples, (sample) => sample * 32767),
    ...{ enhance: false, keepSpeech: false, maxSeconds: 60 },
  };
  const speaker = { vector: new Float32Array(128).fill(128 ** -0.5), pitch: 160 };
  const jobs = [recording, { speaker, engine: "kokoro" }];
  const { restore } = countSessions(context, "all");
  const analyze = createAnalyzer({ silero: models.path(sileroVad.id, "model.onnx"), xvector: xvectorFiles(models) });
  for (const job of jobs) await assert.rejects(analyze(job, never), /out of memory/);
  restore();
  const [analysis, embedding] = [await analyze(recording, never), await analyze({ speaker, engine: "kokoro" }, never)];
  assert.ok("speechSeconds" in analysis && analysis.vector && analysis.networkVector, "the recording was analyzed");
  assert.ok(embedding instanceof Float32Array);
});

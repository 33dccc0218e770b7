import assert from "node:assert/strict";
import { access, readFile } from "node:fs/promises";
import { it, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { SpeechError, type Transcription } from "@parlance/speech";
import { createBurstTranscription } from "../../testing/burst-transcription.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { createUploadFolder } from "../uploads/upload-folder.ts";
import { createStoredRecordingTranscriber } from "./transcribe-stored.ts";
import { createTranscriptionService } from "./transcription.ts";

const never = new AbortController().signal;

it("a stored recording that makes no progress has failed, so it is not tried again without end", async (context) => {
  const transcribe = await setUp(context, async (_, signal) => {
    await sleep(100_000, undefined, { signal });
    throw new Error("it was not ended");
  });
  await assert.rejects(transcribe(Buffer.from("speech"), never), (error) => {
    return error instanceof Error && !(error instanceof SpeechError) && /could not be transcribed/.test(error.message);
  });
});

it("an overload stays one", async (context) => {
  const overloaded = new SpeechError("overloaded", "too many recordings wait", 1);
  const transcribe = await setUp(context, () => Promise.reject(overloaded));
  await assert.rejects(transcribe(Buffer.from("speech"), never), overloaded);
});

it("stored recordings are read from a file, which is removed", async (context) => {
  let file = "";
  const transcribe = await setUp(context, async ({ path }) => {
    file = path;
    return { text: await readFile(path, "utf8"), duration: 1, language: "en", segments: [] };
  });
  assert.equal(await transcribe(Buffer.from("speech"), never), "speech");
  await assert.rejects(access(file), { code: "ENOENT" });
});

async function setUp(context: TestContext, transcribe: Transcription["transcribe"]) {
  const transcription = { ...createBurstTranscription(), transcribe };
  const service = createTranscriptionService(transcription, { of: async () => ({}) }, async () => [], { stallMs: 50 });
  return createStoredRecordingTranscriber(service, () => true, createUploadFolder(await temporaryFolder(context)));
}

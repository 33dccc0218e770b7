import assert from "node:assert/strict";
import { it } from "node:test";
import { HISTORY_LIMITS } from "@parlance/protocol";
import { createSpeechRecording, type RecordedSpeech } from "./speech-recording.ts";

const ALIGNMENT = { text: "Hi.", segments: [{ text: "Hi", start: 0, end: 0.4 }], offset: 1, duration: 0.5 };

function record(format: "mp3" | "pcm" | "ulaw") {
  const saved: { readonly speech: RecordedSpeech; readonly complete: boolean }[] = [];
  const recording = createSpeechRecording(
    "0".repeat(32),
    { format, sampleRate: 44_100 },
    async (speech, complete) => void saved.push({ speech, complete }),
    (error) => assert.fail(String(error)),
  );
  return { recording, saved };
}

it("speech in a compressed format is kept as it was sent, once", async () => {
  const { recording, saved } = record("mp3");
  recording.add({ bytes: Buffer.from("ab"), chunk: 0, alignment: ALIGNMENT });
  recording.add({ bytes: Buffer.from("cd"), chunk: 0 });
  await recording.finish(true);
  await recording.finish(false);
  assert.equal(saved.length, 1);
  assert.deepEqual(saved[0], {
    complete: true,
    speech: {
      words: [{ text: "Hi", start: 1, end: 1.4 }],
      seconds: 1.5,
      audio: { type: "audio/mpeg", bytes: Buffer.from("abcd") },
    },
  });
});

it("audio over the limit, and G.711, is dropped, and the text is kept", async () => {
  const large = record("mp3");
  const piece = Buffer.alloc(HISTORY_LIMITS.audioBytes / 2 + 1);
  for (const chunk of [0, 1]) large.recording.add({ bytes: piece, chunk, alignment: ALIGNMENT });
  await large.recording.finish(true);
  assert.equal(large.saved[0]?.speech.audio, undefined);
  const telephone = record("ulaw");
  telephone.recording.add({ bytes: Buffer.alloc(100), chunk: 0, alignment: ALIGNMENT });
  await telephone.recording.finish(true);
  assert.deepEqual([telephone.saved.length, telephone.saved[0]?.speech.audio], [1, undefined]);
});

it("a request without audio leaves nothing", async () => {
  const { recording, saved } = record("pcm");
  await recording.finish(false);
  assert.equal(saved.length, 0);
});

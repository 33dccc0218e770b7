import assert from "node:assert/strict";
import { it } from "node:test";
import { EMPTY_LOG, type TalkLog, withEvent } from "./talk-log.ts";

const event = (type: string, fields: object = {}) => ({ type, ...fields });

it("collects both sides of a conversation with the times of each stage", () => {
  const steps: readonly (readonly [object & { readonly type: string }, number, number])[] = [
    [event("input_audio_buffer.speech_started", { item_id: "a" }), 1000, 900],
    [event("conversation.item.input_audio_transcription.delta", { item_id: "a", delta: "Good" }), 1500, 1400],
    [event("input_audio_buffer.speech_stopped", { item_id: "a", audio_end_ms: 1700 }), 2100, 2000],
    [
      event("conversation.item.input_audio_transcription.completed", { item_id: "a", transcript: "Good day." }),
      2110,
      2000,
    ],
    [event("response.output_audio_transcript.delta", { item_id: "b", delta: "Hello" }), 2300, 2200],
    [event("response.output_audio.delta", { item_id: "b", delta: "AAAA" }), 2400, 2300],
    [event("response.output_audio_transcript.delta", { item_id: "b", delta: " you." }), 2500, 2400],
    [event("response.output_audio.delta", { item_id: "b", delta: "AAAA" }), 2600, 2500],
    [event("conversation.item.truncated", { item_id: "b", audio_end_ms: 5 }), 2700, 2600],
  ];
  const log = steps.reduce<TalkLog>((before, [each, now, sent]) => withEvent(before, each, now, sent), EMPTY_LOG);
  assert.deepEqual(log.entries, [
    { id: "a", who: "you", text: "Good day.", isCut: false, times: {} },
    {
      id: "b",
      who: "agent",
      text: "Hello you.",
      isCut: true,
      times: { endOfTurn: 300, firstWord: 500, firstAudio: 600 },
    },
  ]);
});

it("drops turns without words, and shows what failed", () => {
  const started = withEvent(EMPTY_LOG, event("input_audio_buffer.speech_started", { item_id: "a" }), 0, 0);
  const empty = { item_id: "a", transcript: "" };
  const log = withEvent(started, event("conversation.item.input_audio_transcription.completed", empty), 0, 0);
  assert.deepEqual(log.entries, []);
  const failed = { status: "failed", status_details: { error: { message: "it is gone" } } };
  assert.equal(withEvent(log, event("response.done", { response: failed }), 0, 0).fault, "it is gone");
  assert.equal(withEvent(log, event("error", { error: { message: "wrong" } }), 0, 0).fault, "wrong");
});

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { ListeningEvent, ListeningRequest } from "../../listening.ts";
import { testModels } from "../../testing/models.ts";
import { soundsWithoutSpeech } from "../../testing/music.ts";
import { type RealSpeech, realSpeech, startErrors } from "../../testing/real-speech.ts";
import { concatSamples } from "../../testing/signals.ts";
import { LIVE_FORMAT, spokenSamples, transcribeLive } from "../../testing/transcribe-live.ts";
import { wordErrors } from "../../testing/word-errors.ts";
import type { Transcription } from "../../transcript.ts";
import { createTranscription } from "../create-transcription.ts";

const never = new AbortController().signal;

describe("listening with real models", () => {
  let transcription: Transcription;
  let clips: readonly RealSpeech[];
  before(async () => {
    const models = await testModels("silero-vad", "moonshine-base", "whisper-base", "test-speech");
    clips = realSpeech(models);
    transcription = await createTranscription({ models, workers: 2 });
  });
  after(() => transcription.close());

  const hear = (
    samples: Float32Array,
    request: Partial<ListeningRequest>,
    onEvent: (event: ListeningEvent) => void = () => {},
  ) => transcribeLive(transcription, samples, request, onEvent);
  test("real English: few word errors, times as a forced alignment has them, stable words stay", async (t) => {
    let [errors, words] = [0, 0];
    const starts: number[] = [];
    for (const clip of clips) {
      const { events, finals } = await hear(spokenSamples(clip), { language: "en" });
      const counted = wordErrors(clip.text.replace("mister", "mr"), finals.map(({ text }) => text).join(" "));
      errors += counted.errors;
      words += counted.words;
      const found = finals.flatMap((final) => final.words);
      starts.push(...startErrors(found, clip.words).map(Math.abs));
      for (const event of events) {
        if (event.type !== "partial") continue;
        const final = finals.find(({ segment }) => segment === event.segment);
        assert.deepEqual(final?.words.slice(0, event.stable), event.words.slice(0, event.stable));
      }
    }
    const mean = starts.reduce((sum, error) => sum + error, 0) / starts.length;
    t.diagnostic(`word errors ${((100 * errors) / words).toFixed(1)} %, starts off by ${mean.toFixed(3)} s`);
    assert.ok(errors / words <= 0.08 && starts.length > 60 && mean < 0.12);
  });

  test("the language is found, and the turn is heard again when its worker is killed", async () => {
    const kennedy = clips.at(-1);
    let isKilled = false;
    const { finals } = await hear(spokenSamples(kennedy), {}, (event) => {
      if (event.type !== "partial" || isKilled) return;
      isKilled = true;
      for (const pid of transcription.workers()) process.kill(pid, "SIGKILL");
    });
    assert.ok(isKilled);
    const text = finals.map((final) => final.text).join(" ");
    assert.ok(wordErrors(kennedy?.text ?? "", text).errors <= 2, text);
    assert.ok(finals.every(({ language }) => language === "en"));
  });

  test("sounds without speech give no text", async () => {
    const sounds = Object.values(soundsWithoutSpeech(LIVE_FORMAT.sampleRate));
    const { finals } = await hear(concatSamples([new Float32Array(160_000), ...sounds]), { language: "en" });
    assert.deepEqual(
      finals.map(({ text }) => text),
      [],
    );
  });

  test("a live stream and a recording share the workers", async () => {
    const [clip] = clips;
    assert.ok(clip);
    const [{ finals }, transcript] = await Promise.all([
      hear(spokenSamples(clip), { language: "en" }),
      transcription.transcribe({ path: clip.path, granularity: "word" }, never),
    ]);
    assert.ok(finals.length > 0);
    assert.equal(transcript.language, "en");
  });
});

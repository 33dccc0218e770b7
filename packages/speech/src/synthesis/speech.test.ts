import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { DECODER_OFFSETS } from "../engines/kokoro/student/offsets.ts";
import { TIMBRE_SIZE } from "../engines/kokoro/style-size.ts";
import { SpeechError } from "../errors.ts";
import type { LiveInput, Speech, SpeechPart } from "../speech.ts";
import { decodeAudio } from "../testing/decode-audio.ts";
import { testModels } from "../testing/models.ts";
import { noise } from "../testing/signals.ts";
import { alignmentsOf, requestOf, type SpeakOptions, samplesOf, speakSamples } from "../testing/speak-samples.ts";
import { medianPitch } from "../voices/clone/pitch.ts";
import { findMixedVoice } from "../voices/design/design-voices.ts";
import { createSpeech } from "./create-speech.ts";

const RATE = 24_000;
const seconds = (samples: Float32Array) => samples.length / RATE;

test("the next engine is used when one cannot be loaded", async () => {
  const models = await testModels("piper-libritts", "kokoro-q8");
  const path = (id: string, file: string) => models.path(id, file) + (id === "kokoro-q8" ? ".missing" : "");
  const broken = { ...models, path };
  await assert.rejects(
    createSpeech({ models: broken, engines: ["kokoro"], workers: 1 }),
    /kokoro engine cannot be loaded/,
  );
  const lost: string[] = [];
  const speech = await createSpeech({ models: broken, workers: 1, onWorkerLost: (engine) => lost.push(engine) });
  try {
    assert.equal(speech.defaultVoice()?.slug, "clara");
    assert.equal(speech.findVoice("af_heart"), undefined);
    assert.ok((await speakSamples(speech, "Hello.")).length > 0);
    assert.ok(lost.includes("kokoro"));
  } finally {
    await speech.close();
  }
});

describe("speech from text", () => {
  let speech: Speech;
  before(async () => {
    speech = await createSpeech({
      models: await testModels("piper-libritts", "kokoro-q8"),
      queue: 3,
      keepAhead: false,
    });
  });
  after(() => speech.close());

  const speak = (text: string, options?: SpeakOptions) => speakSamples(speech, text, options);

  async function partsOf(text: string, options: SpeakOptions = {}): Promise<SpeechPart[]> {
    const parts: SpeechPart[] = [];
    for await (const part of speech.speak(requestOf(speech, text, options), new AbortController().signal)) {
      parts.push(part);
    }
    return parts;
  }

  test("the same seed gives the same audio, another seed does not", async () => {
    const text = "The same words, said once more. And then again.";
    const first = await speak(text, { seed: 3 });
    assert.deepEqual(await speak(text, { seed: 3 }), first);
    assert.notDeepEqual(await speak(text, { seed: 4 }), first);
  });

  test("an empty text gives no audio", async () => {
    assert.equal((await speak("")).length, 0);
    assert.equal((await speak("😀 🎉")).length, 0);
  });

  test("a pause mark adds a pause and is not spoken", async () => {
    const plain = seconds(await speak("One sentence. Another sentence.", { temperature: 0 }));
    const paused = seconds(await speak("One sentence. [long-break] Another sentence.", { temperature: 0 }));
    assert.ok(paused - plain > 0.9 && paused - plain < 1.6, `${paused - plain} s longer`);
  });

  test("chunks are joined without a click", async () => {
    const text =
      "This clause has no comma anywhere and runs on until it is cut somewhere. Then another! And a last one.";
    const parts = await partsOf(text, { minChunkLength: 0 });
    const samples = samplesOf(Buffer.concat(parts.map((part) => part.bytes)));
    const joins = alignmentsOf(parts).map((chunk) => Math.round(chunk.offset * RATE));
    assert.ok(joins.length >= 3, `${joins.length} chunks`);
    for (const join of joins) {
      // Between two chunks there is at most the quiet rumble of the engine.
      for (let at = Math.max(1, join - RATE / 100); at < join + RATE / 100; at++) {
        const jump = Math.abs((samples[at] ?? 0) - (samples[at - 1] ?? 0));
        assert.ok(jump < 0.02, `a jump of ${jump} ${(at - join) / RATE} s from the join at ${join / RATE} s`);
      }
    }
  });

  test("each written word has a position in the audio", async () => {
    const text = "It costs $3.50, I think. That is not much!";
    const parts = await partsOf(text, { temperature: 0 });
    const total = parts.reduce((sum, part) => sum + part.bytes.length, 0) / 2 / RATE;
    const starts = alignmentsOf(parts);
    const words = starts.flatMap((chunk) =>
      chunk.segments.map((segment) => ({ ...segment, at: chunk.offset + segment.start })),
    );
    assert.equal(words.map((word) => word.text).join(" "), "It costs $3.50 I think That is not much");
    let last = 0;
    for (const word of words) {
      assert.ok(word.at >= last && word.end > word.start, `${word.text} at ${word.at}`);
      last = word.at;
    }
    assert.ok(last < total);
    for (const chunk of starts) {
      for (const segment of chunk.segments)
        assert.ok(segment.end <= chunk.duration, `${segment.text} ends in the audio`);
    }
    assert.equal(starts.map((chunk) => chunk.text).join(""), text);
  });

  test("speakers of two engines alternate in one file", async () => {
    const [clara, heart] = ["clara", "af_heart"].map((name) => speech.findVoice(name));
    assert.ok(clara && heart);
    const voices = [clara, heart];
    const parts = await partsOf("<|speaker:0|>Hello, Heart.<|speaker:1|>Hello, Clara.", { voices });
    const chunks = alignmentsOf(parts);
    assert.equal(chunks.length, 2);
    assert.ok((chunks[1]?.offset ?? 0) > 0.5);
  });

  test("volume and loudness change the level and never clip", async () => {
    const level = (samples: Float32Array) => Math.sqrt(samples.reduce((sum, x) => sum + x * x, 0) / samples.length);
    const peak = (samples: Float32Array) => samples.reduce((max, x) => Math.max(max, Math.abs(x)), 0);
    const plain = await speak("How loud is this sentence?");
    const quiet = await speak("How loud is this sentence?", { volumeDb: -12 });
    const loud = await speak("How loud is this sentence?", { volumeDb: 20 });
    const even = await speak("How loud is this sentence?", { normalizeLoudness: true });
    assert.ok(Math.abs(20 * Math.log10(level(quiet) / level(plain)) + 12) < 0.5);
    assert.ok(level(loud) > level(plain) * 2);
    for (const samples of [loud, even]) assert.ok(peak(samples) < 1, `peak ${peak(samples)}`);
  });

  test("voices are found by id and slug", () => {
    const [first] = speech.voices();
    assert.ok(first);
    assert.equal(speech.findVoice(first.id), first);
    assert.equal(speech.findVoice(first.slug), first);
    assert.equal(speech.findVoice("nobody"), undefined);
    assert.equal(speech.defaultVoice("kokoro")?.slug, "af_heart");
  });

  test("a full queue refuses at once with a retry time, and accepts requests again afterwards", async () => {
    const controller = new AbortController();
    const streams = [1, 2, 3].map(() =>
      speech.speak(requestOf(speech, "A long sentence. ".repeat(50)), controller.signal)[Symbol.asyncIterator](),
    );
    await Promise.all(streams.map((stream) => stream.next()));
    await assert.rejects(speak("One too many."), (error: unknown) => {
      assert.ok(error instanceof SpeechError);
      assert.equal(error.code, "overloaded");
      return (error.retryAfterSeconds ?? 0) >= 1;
    });
    controller.abort(new Error("aborted"));
    // Parts that were made already may still arrive.
    const toEnd = async (stream: AsyncIterator<SpeechPart>) => {
      while (!(await stream.next()).done);
    };
    await Promise.all(streams.map((stream) => assert.rejects(toEnd(stream), /aborted/)));
    assert.ok((await speak("Now there is a slot.")).length > 0);
  });

  test("live texts without anything to say take no slot of the queue", async () => {
    const controller = new AbortController();
    async function* silent(): AsyncGenerator<LiveInput> {
      await new Promise((resolve) => controller.signal.addEventListener("abort", resolve));
    }
    const idle = [1, 2, 3, 4].map(() =>
      speech.speakLive(requestOf(speech, ""), silent(), controller.signal)[Symbol.asyncIterator]().next(),
    );
    try {
      assert.ok((await speak("There is a slot.")).length > 0);
    } finally {
      controller.abort(new Error("the test has ended"));
      await Promise.allSettled(idle);
    }
  });

  test("a cloned voice speaks with its decoder offsets", { timeout: 60_000 }, async () => {
    const custom = { embedding: noise(TIMBRE_SIZE, 0.2), prosody: "am_michael", pace: 1 };
    const spoken = (decoderOffsets?: Float32Array) =>
      speak("Hello.", { voices: [{ id: "clone", engine: "kokoro", custom: { ...custom, decoderOffsets } }] });
    const plain = await spoken();
    assert.deepEqual(await spoken(new Float32Array(DECODER_OFFSETS)), plain);
    assert.notDeepEqual(await spoken(noise(DECODER_OFFSETS, 0.1, 2)), plain);
    await assert.rejects(spoken(new Float32Array(5)), /decoder offsets of a voice of Kokoro are 7168 finite numbers/);
  });

  test("a mixed voice speaks with its pitch and pace", async () => {
    const voiceOf = (pitch: number, pace: number) =>
      findMixedVoice(`mix.af_heart-60.af_bella-40.pitch-${pitch}.pace-${pace}`, speech.voices()) ??
      assert.fail("no mix");
    const text = "The boat left early, and nobody on the shore knew where it was going.";
    const request = (pitch: number, pace: number) => ({ ...requestOf(speech, text), voices: [voiceOf(pitch, pace)] });
    const spoken = async (pitch: number, pace: number) => {
      const parts: Uint8Array[] = [];
      for await (const { bytes } of speech.speak(request(pitch, pace), new AbortController().signal)) parts.push(bytes);
      return samplesOf(Buffer.concat(parts));
    };
    const [usual, high, slow] = [await spoken(100, 100), await spoken(120, 100), await spoken(100, 80)];
    const ratio = (medianPitch(high, RATE) ?? 0) / (medianPitch(usual, RATE) ?? 1);
    assert.ok(ratio > 1.1 && ratio < 1.3, `${ratio} times the pitch`);
    assert.ok(slow.length / usual.length > 1.15, `${slow.length / usual.length} times as long`);
  });

  test("every format contains the same speech", async () => {
    const pcm = await speak("The same speech in every format.");
    for (const format of ["wav", "mp3", "opus"] as const) {
      const sampleRate = format === "mp3" ? 32_000 : 48_000;
      const request = requestOf(speech, "The same speech in every format.");
      const output = { ...request.output, format, sampleRate };
      const parts: Uint8Array[] = [];
      for await (const part of speech.speak({ ...request, output }, new AbortController().signal)) {
        parts.push(part.bytes);
      }
      const decoded = decodeAudio(Buffer.concat(parts));
      assert.equal(decoded.sampleRate, sampleRate);
      const difference = decoded.samples.length / sampleRate - seconds(pcm);
      assert.ok(Math.abs(difference) < 0.08, `${format} is ${difference} s longer`);
    }
  });

  test("a text that arrives in pieces is spoken like a whole one", async () => {
    const text = "Hello there, my friend. It costs $3.14, which is not much, I think.";
    async function* typing(): AsyncGenerator<LiveInput> {
      for (const character of text) yield { text: character };
    }
    const settings = requestOf(speech, "", { latency: "normal" });
    const parts: SpeechPart[] = [];
    for await (const part of speech.speakLive(settings, typing(), new AbortController().signal)) parts.push(part);
    const live = samplesOf(Buffer.concat(parts.map((part) => part.bytes)));
    assert.deepEqual(live, await speak(text, { latency: "normal" }));
    assert.equal(
      alignmentsOf(parts)
        .map((chunk) => chunk.text)
        .join(""),
      text,
    );
  });

  /** The audio at 48 kHz of a text that is flushed, and after which nothing comes until the abort. */
  function flushed(text: string, format: "pcm" | "mp3" | "opus", signal: AbortSignal): AsyncIterable<SpeechPart> {
    async function* input(): AsyncGenerator<LiveInput> {
      yield { text };
      yield { flush: true };
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
    }
    const request = requestOf(speech, "", { latency: "balanced" });
    const output = { ...request.output, format, sampleRate: 48_000 };
    return speech.speakLive({ ...request, output }, input(), signal);
  }

  test("a flushed text is complete while the next one is awaited, in every format", async () => {
    for (const format of ["pcm", "mp3", "opus"] as const) {
      const controller = new AbortController();
      const parts = flushed("This is all for now.", format, controller.signal);
      const bytes: Uint8Array[] = [];
      let duration = 0;
      const decoded = () =>
        format === "pcm" ? samplesOf(Buffer.concat(bytes)) : decodeAudio(Buffer.concat(bytes)).samples;
      // Without the samples that a codec holds back this would never end.
      for await (const part of parts) {
        bytes.push(part.bytes);
        duration = part.alignment?.duration ?? duration;
        const ended = duration > 0.5 && part.alignment === undefined;
        if (ended && decoded().length / 48_000 >= duration) break;
      }
      controller.abort();
      assert.ok(decoded().length / 48_000 >= duration, format);
    }
  });

  test("a flush without words gives a fifth of a second of silence, in every format", async () => {
    for (const format of ["pcm", "mp3", "opus"] as const) {
      const controller = new AbortController();
      const parts = flushed("… 😀", format, controller.signal);
      const bytes: Uint8Array[] = [];
      const length = () => {
        const audio = Buffer.concat(bytes);
        return format === "pcm" ? audio.length / 2 : decodeAudio(audio).samples.length;
      };
      for await (const part of parts) {
        bytes.push(part.bytes);
        if (part.bytes.length > 0 && length() >= 0.19 * 48_000) break;
      }
      controller.abort();
      assert.ok(length() / 48_000 < 0.6, `${format}: ${length() / 48_000} s`);
    }
  });
});

import assert from "node:assert/strict";
import { it } from "node:test";
import { createSpeech } from "../../synthesis/create-speech.ts";
import { testModels } from "../../testing/models.ts";
import { realSpeech } from "../../testing/real-speech.ts";
import { createCloning, createTrialSpeech, type TrialSpeech } from "./index.ts";

const never = new AbortController().signal;

it("a new voice is compared with the stock speakers, and its pace is measured", async (context) => {
  const models = await testModels("piper-libritts", "xvector", "silero-vad", "test-speech");
  const speech = await createSpeech({ models, engines: ["piper"], workers: 1, keepAhead: false });
  context.after(() => speech.close());
  const say = createTrialSpeech(speech);
  const clips = realSpeech(models).filter(({ name }) => /-(?:0870|0920)$/.test(name));
  assert.equal(clips.length, 2);
  const recordings = clips.map(({ path }) => path);
  let spoken = say;
  const trialSpeech: TrialSpeech = (embedding, signal) => spoken(embedding, signal);
  // A comparison that takes long is skipped: here it may take as long as a busy machine needs.
  const cloning = await createCloning({ models, minSeconds: 1, maxSeconds: 120, trialSpeech, trialMs: 300_000 });
  context.after(() => cloning.close());
  const make = (given: TrialSpeech, texts?: readonly string[]) => {
    spoken = given;
    return cloning.create({ recordings, texts, enhance: false, keepSpeech: false }, never);
  };
  const closerSpeaker = async (trialSpeech: TrialSpeech) => (await make(trialSpeech)).closerSpeaker;
  assert.equal(await closerSpeaker(say), undefined, "the voice that was made for these recordings is the closest");
  // As if the voice were that of another speaker.
  const wrong: TrialSpeech = (embedding, signal) => say(typeof embedding === "string" ? embedding : "0", signal);
  assert.match((await closerSpeaker(wrong)) ?? "", /^\d+$/);
  const broken: TrialSpeech = () => Promise.reject(new Error("too busy"));
  assert.equal(await closerSpeaker(broken), undefined, "the comparison is skipped when synthesis is refused");

  const texts = clips.map(({ text }) => text);
  const { pace } = await make(say, texts);
  assert.ok(pace !== 1 && pace >= 0.8 && pace <= 1.25, `pace ${pace}`);
  const slower = texts.map((text) => text.slice(0, text.length * 0.9));
  assert.ok((await make(say, slower)).pace < pace, "fewer letters in the same time");
  assert.equal((await make(say, [texts.join(" ").repeat(5)])).pace, 1, "not the text of the recording");
  assert.equal((await make(broken, texts)).pace, 1);
});

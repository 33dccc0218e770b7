import assert from "node:assert/strict";
import { it } from "node:test";
import { createCloning, createSayTrial, type SayTrial } from "./clone/index.ts";
import { createSpeech } from "./create-speech.ts";
import { testModels } from "./testing/models.ts";

const never = new AbortController().signal;

it("a new voice is listened to, and a speaker of the engine's own that comes closer is named", async (context) => {
  const models = await testModels("piper-libritts", "xvector", "silero-vad", "test-speech");
  const speech = await createSpeech({ models, engines: ["piper"], workers: 1, keepAhead: false });
  context.after(() => speech.close());
  const say = createSayTrial(speech);
  const recordings = ["0870", "0920"].map((clip) =>
    models.path("test-speech", `librivox/sense_and_sensibility_01_austen_64kb-${clip}.wav`),
  );
  const nearerThan = async (sayTrial: SayTrial) => {
    // A trial that takes long is given up, and nobody named: here it may take as long as a busy machine needs for it.
    const cloning = await createCloning({ models, leastSeconds: 1, mostSeconds: 120, sayTrial, trialMs: 300_000 });
    try {
      return (await cloning.create({ recordings, enhance: false, keep: false }, never)).nearer;
    } finally {
      await cloning.close();
    }
  };
  assert.equal(await nearerThan(say), undefined, "what was made for these recordings is the closest");
  // As if it had come out all wrong: with another speaker's voice.
  const wrong: SayTrial = (embedding, signal) => say(typeof embedding === "string" ? embedding : "0", signal);
  assert.match((await nearerThan(wrong)) ?? "", /^\d+$/);
  const broken: SayTrial = () => Promise.reject(new Error("too busy"));
  assert.equal(await nearerThan(broken), undefined, "nobody has to wait for a house that is too busy");
});

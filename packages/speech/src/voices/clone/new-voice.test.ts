import assert from "node:assert/strict";
import { it } from "node:test";
import { createSpeech } from "../../synthesis/create-speech.ts";
import { testModels } from "../../testing/models.ts";
import { realSpeech } from "../../testing/real-speech.ts";
import { createCloning, createSayTrial, type SayTrial } from "./index.ts";

const never = new AbortController().signal;

it("a new voice is listened to: a speaker of the engine's own that comes closer is named, and its pace is found", async (context) => {
  const models = await testModels("piper-libritts", "xvector", "silero-vad", "test-speech");
  const speech = await createSpeech({ models, engines: ["piper"], workers: 1, keepAhead: false });
  context.after(() => speech.close());
  const say = createSayTrial(speech);
  const clips = realSpeech(models).filter(({ name }) => /-(?:0870|0920)$/.test(name));
  assert.equal(clips.length, 2);
  const recordings = clips.map(({ path }) => path);
  const make = async (sayTrial: SayTrial, texts?: readonly string[]) => {
    // A trial that takes long is given up, and nobody named: here it may take as long as a busy machine needs for it.
    const cloning = await createCloning({ models, leastSeconds: 1, mostSeconds: 120, sayTrial, trialMs: 300_000 });
    try {
      return await cloning.create({ recordings, texts, enhance: false, keep: false }, never);
    } finally {
      await cloning.close();
    }
  };
  const nearerThan = async (sayTrial: SayTrial) => (await make(sayTrial)).nearer;
  assert.equal(await nearerThan(say), undefined, "what was made for these recordings is the closest");
  // As if it had come out all wrong: with another speaker's voice.
  const wrong: SayTrial = (embedding, signal) => say(typeof embedding === "string" ? embedding : "0", signal);
  assert.match((await nearerThan(wrong)) ?? "", /^\d+$/);
  const broken: SayTrial = () => Promise.reject(new Error("too busy"));
  assert.equal(await nearerThan(broken), undefined, "nobody has to wait for a house that is too busy");

  const said = clips.map(({ text }) => text);
  const { pace } = await make(say, said);
  assert.ok(pace !== 1 && pace >= 0.8 && pace <= 1.25, `as fast as the reader: ${pace}`);
  const slower = said.map((text) => text.slice(0, text.length * 0.9));
  assert.ok((await make(say, slower)).pace < pace, "less is said in the same time");
  assert.equal((await make(say, [said.join(" ").repeat(5)])).pace, 1, "that cannot be what is said");
  assert.equal((await make(broken, said)).pace, 1);
});

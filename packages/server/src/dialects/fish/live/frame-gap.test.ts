import assert from "node:assert/strict";
import { it } from "node:test";
import { connectLive } from "../../../testing/live-client.ts";
import { startTestServer } from "../../../testing/test-server.ts";
import { createToneSpeech } from "../../../testing/tone-speech.ts";

const PARTS = 20;
const SAMPLES_PER_PART = 20_000;

it("no two frames arrive in the same turn of the client's event loop", async (context) => {
  const speech = createToneSpeech({ samplesPerPart: SAMPLES_PER_PART });
  const server = await startTestServer({ speech });
  context.after(() => server.close());
  const client = await connectLive(server.url);
  let inThisTurn = 0;
  let most = 0;
  client.socket.on("message", () => {
    if (inThisTurn === 0) setImmediate(() => (inThisTurn = 0));
    most = Math.max(most, ++inThisTurn);
  });
  const text = "Hi. ".repeat(PARTS);
  client.send({ event: "start", request: { text, format: "pcm" } }, { event: "stop" });
  const { frames, audio, finish } = await client.round();
  await client.close();
  assert.equal(finish.reason, "stop");
  assert.equal(audio.length, PARTS * SAMPLES_PER_PART * 2);
  assert.ok(frames.length > PARTS);
  assert.equal(most, 1);
});

it("a client that answers no pings gets all of the audio, too", async (context) => {
  const server = await startTestServer({ speech: createToneSpeech({ samplesPerPart: SAMPLES_PER_PART }) });
  context.after(() => server.close());
  const client = await connectLive(server.url, { autoPong: false });
  client.send({ event: "start", request: { text: "Hi. ".repeat(PARTS), format: "pcm" } }, { event: "stop" });
  const { audio } = await client.round();
  client.socket.terminate();
  assert.equal(audio.length, PARTS * SAMPLES_PER_PART * 2);
});

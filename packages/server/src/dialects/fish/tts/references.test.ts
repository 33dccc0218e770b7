import assert from "node:assert/strict";
import { it } from "node:test";
import { instantCloning } from "../../../testing/instant-cloning.ts";
import { startTestServer } from "../../../testing/test-server.ts";
import { createToneSpeech } from "../../../testing/tone-speech.ts";

it("each speaker has the voice of its own list of recordings, or the default voice", {
  timeout: 60_000,
}, async (context) => {
  const speech = createToneSpeech();
  const server = await startTestServer({ speech, parts: { cloning: instantCloning } });
  context.after(() => server.close());
  const recording = (name: string) => ({ audio: Buffer.from(name).toString("base64"), text: name });
  const [one, two] = [recording("one"), recording("two")];
  const voicesFor = async (references: readonly unknown[]) => {
    const response = await server.post({ text: "<|speaker:0|>Hi. <|speaker:1|>Ho.", format: "pcm", references });
    assert.equal(response.status, 200, await response.clone().text());
    await response.arrayBuffer();
    return speech.jobs.at(-1)?.request.voices.map(({ id }) => id) ?? [];
  };
  const [both = "", ...others] = await voicesFor([one, two]);
  assert.deepEqual(others, [], "a plain list is of one speaker");
  const [first, second = "", third] = await voicesFor([[one, two], [two], []]);
  assert.equal(first, both);
  assert.notEqual(second, both);
  assert.equal(third, speech.defaultVoice()?.id);
  assert.deepEqual(await voicesFor([[two], [one, two]]), [second, both]);
});

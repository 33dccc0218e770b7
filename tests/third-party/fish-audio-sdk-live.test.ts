import assert from "node:assert/strict";
import { it } from "node:test";
import { TTSRequest, WebSocketSession } from "fish-audio-sdk";
import { startTestServer, TEST_KEY } from "../../packages/server/src/testing/test-server.ts";
import { createToneSpeech } from "../../packages/server/src/testing/tone-speech.ts";

const SENTENCES = 12;
const SAMPLES = 20_000;

/** The published client, unchanged. It keeps only one of the frames that it reads in one turn of its event loop. */
for (const [format, headerBytes] of [
  ["pcm", 0],
  ["wav", 44],
] as const) {
  it(`the socket of the npm client fish-audio-sdk loses no ${format} audio`, { timeout: 60_000 }, async (context) => {
    const server = await startTestServer({ speech: createToneSpeech({ samplesPerPart: SAMPLES }) });
    context.after(() => server.close());
    const session = new WebSocketSession(TEST_KEY, server.url.replace(/^http/, "ws"));
    async function* text(): AsyncGenerator<string> {
      for (let index = 0; index < SENTENCES; index += 1) yield `Sentence ${index}. `;
    }
    let bytes = 0;
    for await (const audio of session.tts(new TTSRequest("", { format }), text())) bytes += audio.length;
    assert.equal(bytes, headerBytes + SENTENCES * SAMPLES * 2);
  });
}

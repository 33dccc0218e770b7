import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { readConfig } from "../../config/config.ts";
import { connectLive } from "../../testing/live-client.ts";
import { startTestServer } from "../../testing/test-server.ts";
import { createToneSpeech, TONE_VOICES } from "../../testing/tone-speech.ts";

const FOREIGN = "933563129e564b19a115bedd57b7406a";
const [one, two, three] = TONE_VOICES;

async function serve(context: TestContext, text: string) {
  const { voiceAliases } = readConfig({ PARLANCE_VOICE_ALIASES: text }).config;
  const speech = createToneSpeech();
  const server = await startTestServer({ speech, config: { voiceAliases } });
  context.after(() => server.close());
  /** The voices that spoke, or the status. */
  const speak = async (referenceId: string | readonly string[]) => {
    const response = await server.post({ text: "Hi.", reference_id: referenceId, format: "pcm" });
    await response.arrayBuffer();
    return response.status === 200 ? speech.jobs.at(-1)?.request.voices.map(({ id }) => id) : response.status;
  };
  return { server, speech, speak };
}

describe("PARLANCE_VOICE_ALIASES", () => {
  it("maps ids of other servers to voices, over HTTP, on the live socket and in a list of speakers", async (context) => {
    const { server, speech, speak } = await serve(context, JSON.stringify({ [FOREIGN]: "tone-two" }));
    assert.deepEqual(await speak(FOREIGN), [two?.id]);
    assert.deepEqual(await speak(["tone-one", FOREIGN]), [one?.id, two?.id]);
    assert.equal(await speak("another"), 400);
    const client = await connectLive(server.url);
    client.send({ event: "start", request: { text: "Hi.", reference_id: FOREIGN, format: "pcm" } }, { event: "stop" });
    assert.equal((await client.round()).finish.reason, "stop");
    assert.deepEqual(
      speech.jobs.at(-1)?.request.voices.map(({ id }) => id),
      [two?.id],
    );
    await client.close();
  });

  it("has a wildcard for all other unknown ids, and never replaces a voice that exists", async (context) => {
    const { speak } = await serve(context, `${FOREIGN}=tone-two, tone-one=tone-two, *=${three?.id}`);
    assert.deepEqual(await speak(FOREIGN), [two?.id]);
    assert.deepEqual(await speak("another"), [three?.id]);
    assert.deepEqual(await speak("constructor"), [three?.id]);
    assert.deepEqual(await speak("tone-one"), [one?.id]);
  });

  it("refuses an alias of a voice that does not exist, naming the requested id", async (context) => {
    const { server, speak } = await serve(context, `${FOREIGN}=gone`);
    assert.equal(await speak(FOREIGN), 400);
    const response = await server.post({ text: "Hi.", reference_id: FOREIGN });
    assert.match(await response.text(), new RegExp(`reference_id: .*${FOREIGN}`));
  });

  it("is refused at the start when it is no table", () => {
    for (const text of ["{", "[]", '{"a":1}', "a", "a=b=c", "=b", "a="]) {
      assert.throws(() => readConfig({ PARLANCE_VOICE_ALIASES: text }), /PARLANCE_VOICE_ALIASES.*not allowed/, text);
    }
  });
});

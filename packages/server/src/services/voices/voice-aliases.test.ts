import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { readConfig } from "../../config/config.ts";
import { MAX_ALIASES } from "../../config/voice-aliases.ts";
import { asAdmin, callApi } from "../../testing/account-client.ts";
import { onEachDatabase } from "../../testing/databases.ts";
import { connectLive } from "../../testing/live-client.ts";
import { addMember } from "../../testing/member.ts";
import { startTestServer } from "../../testing/test-server.ts";
import { createToneSpeech, TONE_VOICES } from "../../testing/tone-speech.ts";

const FOREIGN = "933563129e564b19a115bedd57b7406a";
const [one, two, three] = TONE_VOICES;

async function serve(context: TestContext, text: string, database = {}) {
  const { voiceAliases } = readConfig({ PARLANCE_VOICE_ALIASES: text }).config;
  const speech = createToneSpeech();
  const server = await startTestServer({ speech, config: { voiceAliases, ...database } });
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

onEachDatabase("the table of voice aliases", (newDatabase) => {
  it("is edited by admins, without a restart, and wins over the setting", async (context) => {
    const { config } = await newDatabase(context);
    const { server, speak } = await serve(context, `${FOREIGN}=tone-one,*=tone-one`, config);
    const put = (reference_id: string, voice: string) =>
      asAdmin(server, "PUT", "/admin/voice-aliases", { reference_id, voice });
    assert.deepEqual((await asAdmin(server, "GET", "/admin/voice-aliases")).body, {
      items: [
        { reference_id: FOREIGN, voice: "tone-one", source: "setting" },
        { reference_id: "*", voice: "tone-one", source: "setting" },
      ],
    });
    await put("*", "tone-three");
    assert.deepEqual(await speak(FOREIGN), [one?.id], "an id of its own wins over the wildcard");
    for (const id of ["another", "a\0b", "long".repeat(1000)]) assert.deepEqual(await speak(id), [three?.id], id);
    await put(FOREIGN, "tone-three");
    assert.deepEqual((await put(FOREIGN, "tone-two")).body, {
      items: [
        { reference_id: "*", voice: "tone-three", source: "table" },
        { reference_id: FOREIGN, voice: "tone-two", source: "table" },
      ],
    });
    assert.deepEqual(await speak(FOREIGN), [two?.id]);
    const path = `/admin/voice-aliases?reference_id=${FOREIGN}`;
    assert.equal((await asAdmin(server, "DELETE", path)).status, 200);
    assert.deepEqual(await speak(FOREIGN), [one?.id]);
    assert.equal((await asAdmin(server, "DELETE", path)).code, "unknown_alias");
  });

  it("refuses voices that do not exist, bad values, members, and too many aliases", async (context) => {
    const { config } = await newDatabase(context);
    const { server } = await serve(context, "{}", config);
    const put = async (reference_id: unknown, voice: unknown) =>
      (await asAdmin(server, "PUT", "/admin/voice-aliases", { reference_id, voice })).code;
    assert.equal(await put(FOREIGN, "gone"), "unknown_voice");
    assert.equal(await put("a".repeat(201), "tone-one"), "invalid_value");
    assert.equal(await put("a\0b", "tone-one"), "invalid_value");
    assert.equal(await put(FOREIGN, 5), "invalid_request");
    const member = await addMember(server);
    assert.equal((await callApi(server, "GET", "/admin/voice-aliases", { headers: member.headers })).status, 403);
    await server.store.transaction(async ({ voiceAliases }) => {
      for (let count = 0; count < MAX_ALIASES; count++)
        await voiceAliases.put({ referenceId: `id-${count}`, voice: "tone-one" });
    });
    assert.equal(await put("one more", "tone-one"), "too_many_aliases");
    assert.equal(await put("id-7", "tone-two"), null, "a known id can be changed");
  });
});

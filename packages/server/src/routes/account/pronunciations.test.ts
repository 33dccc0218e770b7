import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { PRONUNCIATION_LIMITS } from "@parlance/protocol";
import { asAdmin, callApi, signedIn } from "../../testing/account-client.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";
import { createToneSpeech, type ToneSpeech } from "../../testing/tone-speech.ts";

const PATH = "/account/pronunciations";

describe("the pronunciations of an account", () => {
  let speech: ToneSpeech;
  let server: TestServer;
  before(async () => {
    speech = createToneSpeech();
    server = await startTestServer({ speech });
  });
  after(() => server.close());
  const asked = () => speech.jobs.at(-1)?.request.pronunciations;
  const say = async (body: object = {}) => (await server.post({ text: "Hi", format: "pcm", ...body })).arrayBuffer();

  it("are kept, and used in its speech after those of the request", async () => {
    await say();
    assert.equal(asked(), undefined);
    const list = { GIF: "jiff", Nguyen: "/nwˈɪn/" };
    const put = await asAdmin(server, "PUT", PATH, { pronunciations: list });
    assert.deepEqual([put.status, put.body], [200, { pronunciations: list }]);
    assert.deepEqual((await asAdmin(server, "GET", PATH)).body, { pronunciations: list });
    await say();
    assert.deepEqual(asked(), list);
    await say({ pronunciations: { GIF: "giff", SQL: "/S IY1 K W AX L/" } });
    assert.deepEqual(asked(), { ...list, GIF: "giff", SQL: "/S IY1 K W AX L/" });
    await asAdmin(server, "PUT", PATH, { pronunciations: {} });
    await say();
    assert.equal(asked(), undefined);
  });

  it("are not seen by other accounts", async () => {
    await asAdmin(server, "PUT", PATH, { pronunciations: { secret: "word" } });
    const { cookie } = await signedIn(server, "other@example.org");
    assert.deepEqual((await callApi(server, "GET", PATH, { cookie })).body, { pronunciations: {} });
    assert.equal((await callApi(server, "GET", PATH)).status, 401);
  });

  it("are bounded, and refused in an unknown notation", async () => {
    const many = Object.fromEntries(Array.from({ length: PRONUNCIATION_LIMITS.words + 1 }, (_, at) => [`w${at}`, "x"]));
    const refused = [
      many,
      { "two words": "x" },
      { "": "x" },
      { ["w".repeat(65)]: "x" },
      { word: "" },
      { word: "x".repeat(101) },
      { word: "/123/" },
    ];
    for (const pronunciations of refused) {
      const put = await asAdmin(server, "PUT", PATH, { pronunciations });
      assert.deepEqual([put.status, put.code], [400, "invalid_value"], JSON.stringify(pronunciations).slice(0, 50));
      const spoken = await server.post({ text: "Hi", pronunciations });
      assert.equal(spoken.status, 400);
      assert.match(((await spoken.json()) as { message: string }).message, /^pronunciations: /);
    }
    assert.equal((await asAdmin(server, "PUT", PATH, { pronunciations: { word: 5 } })).status, 422);
  });
});

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { voiceModel, voicePage } from "@parlance/protocol";
import { addMember, type Member } from "../../../testing/member.ts";
import { startTestServer, type TestServer } from "../../../testing/test-server.ts";
import { createToneSpeech, TONE_VOICES, type ToneSpeech } from "../../../testing/tone-speech.ts";
import { until } from "../../../testing/until.ts";
import { clonedVoice } from "../../../testing/voice-record.ts";

describe("the catalog of voices", () => {
  let server: TestServer;
  let member: Member;
  let speech: ToneSpeech;
  before(async () => {
    speech = createToneSpeech();
    server = await startTestServer({ speech });
    member = await addMember(server);
  });
  after(() => server.close());

  it("lists the stock voices as public ones of the system, in their order", async () => {
    const response = await member.get("/model");
    assert.equal(response.status, 200);
    const page = voicePage.parse(await response.json());
    assert.deepEqual(
      page.items.map((item) => item._id),
      TONE_VOICES.map((voice) => voice.id),
    );
    for (const item of page.items) {
      assert.equal(item.author._id, "system");
      assert.equal(item.visibility, "public");
      assert.equal(item.state, "trained");
      assert.ok(item.samples[0]?.audio.startsWith(server.url));
    }
  });

  it("gets a voice by its id or short name, and responds 404 to others", async () => {
    const [first] = TONE_VOICES;
    for (const reference of [first?.id, first?.slug]) {
      const model = voiceModel.parse(await (await member.get(`/model/${reference}`)).json());
      assert.deepEqual([model._id, model.title], [first?.id, first?.title]);
    }
    for (const id of ["f".repeat(32), "clara", "..%2f..%2fetc", `${"0".repeat(32)}'--`]) {
      const response = await member.get(`/model/${id}`);
      assert.equal(response.status, 404, id);
    }
  });

  it("requires a key or a session", async () => {
    assert.equal((await fetch(`${server.url}/model`)).status, 401);
    assert.equal((await fetch(`${server.url}/model/${TONE_VOICES[0]?.id}/sample.mp3`)).status, 401);
  });

  it("can be read without a key where it is public, and only that", async (context) => {
    const open = await startTestServer({ speech: createToneSpeech(), config: { publicCatalogue: "on" } });
    context.after(() => open.close());
    const id = TONE_VOICES[0]?.id ?? "";
    const status = async (path: string, init?: RequestInit) => (await fetch(open.url + path, init)).status;
    const page = voicePage.parse(await (await fetch(`${open.url}/model`)).json());
    assert.equal(page.total, TONE_VOICES.length);
    assert.equal(voicePage.parse(await (await fetch(`${open.url}/model?self=true`)).json()).total, 0);
    assert.equal(await status(`/model/${id}`), 200);
    assert.equal(await status(`/model/${id}/cover`), 404);
    assert.equal(await status("/model", { headers: { authorization: "Bearer wrong-key-0123456789" } }), 401);
    assert.equal(await status(`/model/${id}`, { method: "DELETE" }), 401);
    assert.equal(await status(`/model/${id}/like`, { method: "PUT" }), 401);
    assert.equal(await status("/wallet/self/package"), 401);
    for (const [visibility, expected] of [
      ["private", 404],
      ["unlist", 404],
      ["public", 200],
    ] as const) {
      const voice = { ...clonedVoice({ userId: open.adminId }), visibility, cover: "0".repeat(16) };
      await open.store.transaction(async ({ voices, voiceBlobs }) => {
        await voices.insert(voice);
        const file = { number: 0, text: String(voice.version), bytes: Buffer.from("file") };
        await voiceBlobs.put(voice.id, "sample", { ...file, type: "audio/mpeg" });
        await voiceBlobs.put(voice.id, "cover", { ...file, type: "image/jpeg" });
      });
      for (const part of ["", "/sample.mp3", "/cover"])
        assert.equal(await status(`/model/${voice.id}${part}`), expected, `${visibility} ${part}`);
    }
  });

  it("refuses to change or delete a stock voice", async () => {
    for (const reference of [TONE_VOICES[0]?.id, TONE_VOICES[0]?.slug]) {
      const response = await fetch(`${server.url}/model/${reference}`, { method: "DELETE", headers: member.headers });
      assert.equal(response.status, 403, reference);
    }
  });

  it("likes a voice once, and removes the like", async () => {
    const like = (reference = "") => `${server.url}/model/${reference}/like`;
    const both = [like(TONE_VOICES[1]?.id), like(TONE_VOICES[1]?.slug)];
    for (const at of both) {
      const liked = voiceModel.parse(await (await fetch(at, { method: "PUT", headers: member.headers })).json());
      assert.deepEqual([liked.liked, liked.like_count], [true, 1]);
    }
    const page = voicePage.parse(await (await member.get("/model?sort_by=score")).json());
    assert.equal(page.items[0]?._id, TONE_VOICES[1]?.id);
    for (const at of both) {
      const left = voiceModel.parse(await (await fetch(at, { method: "DELETE", headers: member.headers })).json());
      assert.deepEqual([left.liked, left.like_count], [false, 0]);
    }
  });

  it("takes several tags in one parameter", async () => {
    const find = async (query: string) => voicePage.parse(await (await member.get(`/model?${query}`)).json()).total;
    assert.equal(await find("tag=female,kokoro"), 1);
    assert.equal(await find("tag=female,%20piper"), 2);
    assert.equal(await find("tag=female&tag=piper,en-US"), 2);
    assert.equal(await find("tag=piper,kokoro"), 0);
    assert.equal((await member.get(`/model?tag=${"a,".repeat(30)}`)).status, 422);
  });

  it("shows the wrong value of a query parameter", async () => {
    const response = await member.get("/model?page_size=many");
    const issue = { type: "value_error", msg: "Expected an integer from 1 to 100", ctx: 'got "many"', in: "query" };
    assert.deepEqual(await response.json(), [{ loc: ["page_size"], ...issue }]);
  });

  it("counts the requests of a voice", async () => {
    const id = TONE_VOICES[2]?.id ?? "";
    const body = { text: "Hello.", reference_id: id, format: "pcm" };
    for (const _ of [1, 2, 3]) await (await server.post(body)).arrayBuffer();
    const count = await until(
      async () => {
        const voice = voiceModel.parse(await (await member.get(`/model/${id}`)).json());
        return voice.task_count >= 3 && voice.task_count;
      },
      { everyMs: 50 },
    );
    assert.equal(count, 3);
    const page = voicePage.parse(await (await member.get("/model?sort_by=task_count&page_size=1")).json());
    assert.deepEqual([page.items[0]?._id, page.total, page.has_more], [id, 3, true]);
  });

  for (const [query, field] of [
    ["page_size=0", "page_size"],
    ["page_size=101", "page_size"],
    ["page_size=a", "page_size"],
    ["page_number=-1", "page_number"],
    ["page_number=1.5", "page_number"],
    ["self=maybe", "self"],
    ["sort_by=title", "sort_by"],
    [`title=${"x".repeat(300)}`, "title"],
    ["title=a&title=b", "title"],
  ] as const) {
    it(`refuses ${query.slice(0, 30)} with what is wrong, and where`, async () => {
      const response = await member.get(`/model?${query}`);
      assert.equal(response.status, 422);
      const [issue] = (await response.json()) as { loc: string[]; in: string }[];
      assert.deepEqual([issue?.loc, issue?.in], [[field], "query"]);
    });
  }
});

import assert from "node:assert/strict";
import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { describe, it } from "node:test";
import { voiceModel } from "@parlance/protocol";
import { callApi } from "../../../testing/account-client.ts";
import { instantCloning } from "../../../testing/instant-cloning.ts";
import { startTestServer, TEST_KEY } from "../../../testing/test-server.ts";
import { until } from "../../../testing/until.ts";

const PATH = `/model/${"0".repeat(32)}`;

describe("a change of a voice with a picture", () => {
  it("takes a slot of its account before the body is read; one without a picture takes none", async (context) => {
    const server = await startTestServer({ config: { concurrency: 1 } });
    context.after(() => server.close());
    const authorization = `Bearer ${TEST_KEY}`;
    const headers = { authorization, "content-type": "multipart/form-data; boundary=x" };
    const slow = httpRequest(server.url + PATH, { method: "PATCH", headers });
    slow.on("error", () => {});
    slow.write('--x\r\ncontent-disposition: form-data; name="cover_image"; filename="a.png"\r\n\r\n');
    const form = () => {
      const body = new FormData();
      body.append("cover_image", new Blob(["picture"]), "a.png");
      return fetch(server.url + PATH, { method: "PATCH", headers: { authorization }, body });
    };
    await until(async () => {
      const response = await form();
      assert.ok([404, 429].includes(response.status), String(response.status));
      return response.headers.get("x-error-code") === "concurrency_limited";
    });
    const text = await callApi(server, "PATCH", PATH, { body: { title: "New" }, key: TEST_KEY });
    assert.equal(text.code, "voice_not_found");
    slow.end("\r\n--x--\r\n");
    const [response] = (await once(slow, "response")) as [IncomingMessage];
    assert.equal(response.statusCode, 404);
    assert.equal(response.headers["ratelimit-current-concurrency"], "1");
    response.resume();
    const next = await form();
    assert.equal(next.headers.get("x-error-code"), "voice_not_found");
  });
});

describe("a voice that is made from JSON", () => {
  it("has the recordings, the texts and the fields of the request", async (context) => {
    const server = await startTestServer({ parts: { cloning: instantCloning } });
    context.after(() => server.close());
    const recording = Buffer.from("any bytes are a recording here");
    const body = { title: "From JSON", tags: ["a", "b"], voices: [recording.toString("base64")], texts: ["Hello."] };
    const made = await callApi(server, "POST", "/model", { body, key: TEST_KEY });
    assert.equal(made.status, 201);
    const { _id: id, title, tags } = voiceModel.parse(made.body);
    assert.deepEqual([title, tags], [body.title, body.tags]);
    const [stored] = await server.store.voiceBlobs.list(id, "recording");
    assert.deepEqual([stored?.text, stored?.bytes], ["Hello.", recording]);
  });

  it("is refined with the share of the settings, and says how similar it has become", async (context) => {
    const shares: number[] = [];
    const cloning: typeof instantCloning = {
      ...instantCloning,
      canRefine: () => true,
      async refine({ voice, share }) {
        shares.push(share);
        return { voice: { ...voice, decoderOffsets: Float32Array.of(1) }, similarity: { before: 0.6, after: 0.7 } };
      },
    };
    const server = await startTestServer({ config: { refinementShare: 0.25 }, parts: { cloning } });
    context.after(() => server.close());
    const body = { title: "Refined", voices: [Buffer.from("recording").toString("base64")], texts: ["Hello."] };
    const made = voiceModel.parse((await callApi(server, "POST", "/model", { body, key: TEST_KEY })).body);
    assert.deepEqual([made.refinement, made.refinement_similarity], ["waiting", null]);
    const refined = await until(async () => {
      const voice = voiceModel.parse((await callApi(server, "GET", `/model/${made._id}`, { key: TEST_KEY })).body);
      return voice.refinement === "done" && voice;
    });
    assert.deepEqual(refined.refinement_similarity, { before: 0.6, after: 0.7 });
    assert.notEqual(refined.samples[0]?.audio, made.samples[0]?.audio);
    assert.deepEqual(shares, [0.25]);
  });
});

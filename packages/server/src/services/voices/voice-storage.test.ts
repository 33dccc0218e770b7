import assert from "node:assert/strict";
import { it, type TestContext } from "node:test";
import { type NewDatabase, onPostgres } from "../../testing/databases.ts";
import { instantCloning } from "../../testing/instant-cloning.ts";
import { startS3 } from "../../testing/s3-server.ts";
import { startTestServer, TEST_KEY } from "../../testing/test-server.ts";
import { until } from "../../testing/until.ts";

const PICTURE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const headers = { authorization: `Bearer ${TEST_KEY}` };
/** Longer than a busy machine needs for an answer, and shorter than the time limit of the test. */
const TIMEOUT_MS = 3_000;

async function setUp(context: TestContext, newDatabase: NewDatabase, isAway = false) {
  const s3 = await startS3(context);
  if (isAway) s3.link.cut();
  const { config } = await newDatabase(context);
  const start = async () => {
    const server = await startTestServer({
      config: { databaseUrl: config.databaseUrl, blobs: s3.settings },
      parts: { cloning: instantCloning, objectStorage: { timeoutMs: TIMEOUT_MS }, node: { heartbeatMs: 100 } },
    });
    context.after(() => server.close());
    return server;
  };
  const [first, second] = [await start(), await start()];
  const create = (): Promise<Response> => {
    const body = new FormData();
    body.append("title", "A voice");
    body.append("voices", new Blob([new Uint8Array(1000)]), "voice.wav");
    body.append("cover_image", new Blob([PICTURE]), "picture.png");
    return fetch(`${first.url}/model`, { method: "POST", headers, body });
  };
  const get = (path: string): Promise<Response> => fetch(`${second.url}${path}`, { headers });
  return { ...s3, first, second, create, get };
}

async function assertRefused(answer: Response): Promise<void> {
  assert.equal(answer.status, 503);
  assert.ok(Number(answer.headers.get("retry-after")) > 0);
  assert.match(await answer.text(), /storage of recordings and pictures/);
}

onPostgres("voices with their files in S3", (newDatabase) => {
  it("are made on one node, speak on another at once, and are deleted with their files", async (context) => {
    const { create, get, keys, first, second } = await setUp(context, newDatabase);
    const made = await create();
    assert.equal(made.status, 201, await made.clone().text());
    const { _id: id } = (await made.json()) as { readonly _id: string };
    const spoken = await second.post({ text: "Hello.", reference_id: id, format: "wav" });
    assert.equal(spoken.status, 200);
    assert.ok((await spoken.arrayBuffer()).byteLength > 1000);
    const cover = await get(`/model/${id}/cover`);
    assert.equal(cover.status, 200);
    assert.match(cover.headers.get("content-type") ?? "", /^image\//);
    assert.equal((await keys()).length, 2, "a recording and a cover");
    const deleted = await fetch(`${first.url}/model/${id}`, { method: "DELETE", headers });
    assert.equal(deleted.status, 204);
    await until(async () => (await keys()).length === 0, { what: "the objects are deleted" });
  });

  it("speak while S3 is unreachable; requests that need it get 503, and no file is lost or left", async (context) => {
    const { create, get, keys, link, first, second } = await setUp(context, newDatabase);
    const { _id: id } = (await (await create()).json()) as { readonly _id: string };
    for (const fail of [link.cut, link.stall]) {
      fail();
      await assertRefused(await create());
      await assertRefused(await get(`/model/${id}/cover`));
      const spoken = await second.post({ text: "Hello.", reference_id: id, format: "wav" });
      assert.equal(spoken.status, 200);
      await spoken.arrayBuffer();
      assert.equal((await get("/health/ready")).status, 200);
      link.restore();
    }
    assert.equal((await get(`/model/${id}/cover`)).status, 200);
    await until(async () => (await keys()).length === 2, { what: "only the files of the voice are left" });
    const { total } = (await (await get("/model?self=true")).json()) as { readonly total: number };
    assert.equal(total, 1);
    link.cut();
    assert.equal((await fetch(`${first.url}/model/${id}`, { method: "DELETE", headers })).status, 204);
    link.restore();
    await until(async () => (await keys()).length === 0, { what: "the objects are deleted when S3 is back" });
  });

  for (const [state, isAway] of [
    ["ok", false],
    ["failing", true],
  ] as const) {
    it(`show in the health checks whether S3 can be written: ${state}`, async (context) => {
      const { get } = await setUp(context, newDatabase, isAway);
      const check = async () => {
        const answer = await get("/health/ready");
        assert.equal(answer.status, 200);
        const { checks } = (await answer.json()) as { readonly checks: readonly Record<string, unknown>[] };
        const found = checks.find(({ name }) => name === "object_storage");
        assert.equal(found?.required, false);
        return found.state;
      };
      await until(async () => (await check()) === state, { what: `the check is ${state}` });
    });
  }
});

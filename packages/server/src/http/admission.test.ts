import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { startTestServer, TEST_KEY } from "../testing/test-server.ts";
import { createToneSpeech } from "../testing/tone-speech.ts";

describe("an API key", () => {
  it("is required, and the error names the scheme", async (context) => {
    const server = await startTestServer();
    context.after(() => server.close());
    const expired = await server.keys.create(server.adminId, "old", new Date(Date.now() - 1000));
    const revoked = await server.keys.create(server.adminId, "gone");
    await server.keys.revoke(revoked.record.id);
    const cases: readonly (readonly [string | undefined, string])[] = [
      [undefined, "missing_api_key"],
      ["Basic dXNlcjpwYXNz", "invalid_api_key"],
      ["Bearer", "invalid_api_key"],
      ["Bearer two words", "invalid_api_key"],
      ["Bearer unknown-key-0123456789", "invalid_api_key"],
      [`Bearer ${expired.secret}`, "expired_api_key"],
      [`Bearer ${revoked.secret}`, "revoked_api_key"],
    ];
    for (const [authorization, code] of cases) {
      const response = await server.post({ text: 5 }, { headers: { authorization } });
      assert.equal(response.status, 401);
      assert.equal(response.headers.get("x-error-code"), code);
      assert.equal(response.headers.get("www-authenticate"), "Bearer");
      const body = (await response.json()) as Record<string, unknown>;
      assert.deepEqual(Object.keys(body), ["status", "message"]);
    }
    const fresh = await server.keys.create(server.adminId, "new", new Date(Date.now() + 60_000));
    for (const authorization of [`Bearer ${fresh.secret}`, `bearer   ${TEST_KEY}`]) {
      const response = await server.post({ text: "a", format: "pcm" }, { headers: { authorization } });
      assert.equal(response.status, 200);
      await response.arrayBuffer();
    }
  });
});

describe("an account's limits", () => {
  it("refuse more concurrent requests than allowed, and release every slot", async (context) => {
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const server = await startTestServer({
      speech: createToneSpeech({ before: () => gate }),
      config: { concurrency: 5 },
    });
    context.after(() => server.close());
    const answers = Array.from({ length: 30 }, async () => {
      const response = await server.post({ text: "a", format: "pcm" });
      return { response, body: await response.arrayBuffer() };
    });
    let refused = 0;
    for (const answer of answers) {
      void answer.then(({ response }) => {
        if (response.status !== 429) return;
        refused += 1;
        if (refused === 25) open();
      });
    }
    const settled = await Promise.all(answers);
    assert.equal(settled.filter(({ response }) => response.status === 200).length, 5);
    for (const { response, body } of settled.filter((each) => each.response.status !== 200)) {
      assert.equal(response.status, 429);
      assert.equal(response.headers.get("x-error-code"), "concurrency_limited");
      assert.equal(response.headers.get("retry-after"), "1");
      assert.match(
        Buffer.from(body).toString(),
        /^\{"status":429,"message":"Over the limit of 5 requests at a time"\}$/,
      );
    }
    for (let i = 0; i < 12; i += 1) {
      const again = await server.post({ text: "a", format: "pcm" });
      assert.equal(again.headers.get("ratelimit-current-concurrency"), "1");
      await again.arrayBuffer();
    }
  });

  it("release the slot of a request that is refused later", async (context) => {
    const server = await startTestServer({ config: { concurrency: 1 } });
    context.after(() => server.close());
    for (let i = 0; i < 5; i += 1) {
      const response = await server.post({ text: 5 });
      assert.equal(response.status, 422);
      await response.arrayBuffer();
    }
  });

  it("refuse more requests in a minute than allowed, for all keys together", async (context) => {
    const server = await startTestServer({ config: { requestsPerMinute: 2 } });
    context.after(() => server.close());
    const other = await server.keys.create(server.adminId, "other");
    const authorization = `Bearer ${other.secret}`;
    await (await server.post({ text: "a", format: "pcm" })).arrayBuffer();
    await (await server.post({ text: "a", format: "pcm" }, { headers: { authorization } })).arrayBuffer();
    const response = await server.post({ text: 5 });
    assert.equal(response.status, 429, "limits are checked before the shape");
    assert.equal(response.headers.get("x-error-code"), "rate_limited");
    assert.match(response.headers.get("retry-after") ?? "", /^([1-9]|[12]\d|30)$/);
  });
});

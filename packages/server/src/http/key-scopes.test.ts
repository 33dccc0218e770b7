import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { KEY_SCOPES, type KeyScope } from "@parlance/protocol";
import { connectLive } from "../testing/live-client.ts";
import { startTestServer } from "../testing/test-server.ts";
import { assertScope } from "./key-scopes.ts";

/** The scopes that a request needs; "all" where only a key without scopes may send it. */
function needed(method: string, url: string): readonly string[] {
  const alone = KEY_SCOPES.filter((scope) => isAllowed([scope], method, url));
  if (alone.length > 0) return alone;
  return isAllowed(KEY_SCOPES, method, url) ? ["several"] : ["all"];
}

function isAllowed(scopes: readonly KeyScope[], method: string, url: string): boolean {
  try {
    assertScope(scopes, { method, url });
    return true;
  } catch {
    return false;
  }
}

describe("scopes of a key", () => {
  it("are needed by path and method, and an unknown path is closed", () => {
    for (const [method, url, scopes] of [
      ["POST", "/v1/tts", ["speak"]],
      ["POST", "//v1//tts?x=/admin", ["speak"]],
      ["GET", "/v1/tts/live", ["speak"]],
      ["POST", "/v1/audio/speech", ["speak"]],
      ["POST", "/v1/asr", ["listen"]],
      ["GET", "/v1/asr/live", ["listen"]],
      ["POST", "/v1/audio/transcriptions", ["listen"]],
      ["POST", "/model", ["voices"]],
      ["GET", "/model?title=x", KEY_SCOPES],
      ["DELETE", "/model/0", ["voices"]],
      ["GET", "/account", ["account"]],
      ["GET", "/wallet/self/package", ["account"]],
      ["GET", "/admin/users", ["admin"]],
      ["GET", "/metrics", ["admin"]],
      ["POST", "/mcp", ["several"]],
      ["GET", "/%61dmin/users", ["all"]],
      ["GET", "/accounts", ["all"]],
      ["GET", "/v1/tts-other", ["all"]],
      ["POST", "/something/new", ["all"]],
    ] as const) {
      assert.deepEqual(needed(method, url), scopes, `${method} ${url}`);
    }
    assert.doesNotThrow(() => assertScope(undefined, { method: "POST", url: "/anything" }));
  });

  it("hold over HTTP and on sockets, and a key cannot make one that may do more", async (context) => {
    const server = await startTestServer();
    context.after(() => server.close());
    const { secret } = await server.keys.create(server.adminId, "limited", undefined, ["listen", "account"]);
    const headers = { authorization: `Bearer ${secret}` };
    const refused = await server.post({ text: "Hi.", format: "pcm" }, { headers });
    assert.deepEqual([refused.status, refused.headers.get("x-error-code")], [403, "scope_missing"]);
    assert.match(await refused.text(), /scope speak/);
    await assert.rejects(connectLive(server.url, { headers }));
    assert.equal((await fetch(`${server.url}/admin/users`, { headers })).status, 403);
    assert.equal((await fetch(`${server.url}/account`, { headers })).status, 200);
    assert.equal((await fetch(`${server.url}/model`, { headers })).status, 200);
    const create = async (body: object) => {
      const json = { ...headers, "content-type": "application/json" };
      const init = { method: "POST", headers: json, body: JSON.stringify({ name: "new", ...body }) };
      const response = await fetch(`${server.url}/account/keys`, init);
      return { status: response.status, ...((await response.json()) as { scopes?: readonly string[] }) };
    };
    assert.equal((await create({ scopes: ["speak"] })).status, 403);
    assert.equal((await create({ scopes: ["all"] })).status, 400);
    assert.equal((await create({ scopes: [] })).status, 400);
    assert.deepEqual((await create({ scopes: ["listen"] })).scopes, ["listen"]);
    assert.deepEqual((await create({})).scopes, ["listen", "account"]);
  });
});

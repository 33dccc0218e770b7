import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fastify } from "fastify";
import { sendFile } from "./send-file.ts";

describe("a file that a browser plays or shows", () => {
  const app = fastify();
  const bytes = Buffer.from("0123456789");
  app.get("/file", (request, reply) => sendFile(request, reply, { bytes, type: "audio/mpeg" }));

  for (const [range, status, body, header] of [
    [undefined, 200, "0123456789", undefined],
    ["bytes=0-", 206, "0123456789", "bytes 0-9/10"],
    ["bytes=2-4", 206, "234", "bytes 2-4/10"],
    ["bytes=8-100", 206, "89", "bytes 8-9/10"],
    ["bytes=-3", 206, "789", "bytes 7-9/10"],
    ["bytes=-30", 206, "0123456789", "bytes 0-9/10"],
    ["bytes=10-", 416, "", "bytes */10"],
    ["bytes=5-2", 416, "", "bytes */10"],
    ["bytes=-0", 416, "", "bytes */10"],
    ["bytes=0-1,3-4", 200, "0123456789", undefined],
    ["lines=1-2", 200, "0123456789", undefined],
    ["bytes=a-b", 200, "0123456789", undefined],
  ] as const) {
    it(`answers ${status} to the range ${range}`, async () => {
      const answer = await app.inject({ url: "/file", headers: range === undefined ? {} : { range } });
      assert.deepEqual([answer.statusCode, answer.body, answer.headers["content-range"]], [status, body, header]);
    });
  }

  it("is not sent again to a client that has it, and cannot run scripts", async () => {
    const first = await app.inject("/file");
    assert.match(String(first.headers["content-security-policy"]), /default-src 'none'; sandbox/);
    const again = await app.inject({ url: "/file", headers: { "if-none-match": String(first.headers.etag) } });
    assert.deepEqual([again.statusCode, again.body], [304, ""]);
  });
});

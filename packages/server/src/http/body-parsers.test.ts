import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { encodeMessagePack, LIMITS } from "@parlance/protocol";
import { startTestServer } from "../testing/test-server.ts";

const MIB = 1024 * 1024;

describe("bodies of many small elements", () => {
  const bodies: Readonly<Record<string, string>> = {
    "objects in an array": `[${"{},".repeat(2 * MIB)}0]`,
    "empty references": `{"text":"a","references":[${"{},".repeat(2 * MIB)}{}]}`,
    keys: `{${Array.from({ length: 200_000 }, (_, n) => `"k${n}":0`).join(",")}}`,
    "nested arrays": `{"text":"a","references":${"[".repeat(MIB)}${"]".repeat(MIB)}}`,
    "escape sequences": `{"text":"${"\\u0001".repeat(MIB)}"}`,
    numbers: `{"text":"a","references":[${"0,".repeat(4 * MIB)}0]}`,
    "an unfinished string": `{"text":"${"a".repeat(8 * MIB)}`,
  };
  for (const [name, body] of Object.entries(bodies)) {
    it(`are refused before they are parsed: ${name}`, async (context) => {
      const server = await startTestServer();
      context.after(() => server.close());
      const response = await server.post(body);
      assert.equal(response.status, 422);
      const faults = (await response.json()) as { readonly type: string; readonly msg: string }[];
      assert.equal(faults.length, 1);
      assert.match(faults[0]?.msg ?? "", /^Not valid JSON: (more than \d+ \w+|it ends too early)/);
    });
  }

  it("are refused in MessagePack too", async (context) => {
    const server = await startTestServer();
    context.after(() => server.close());
    const headers = { "content-type": "application/msgpack" };
    const many = encodeMessagePack({
      text: "a",
      features: Array.from({ length: LIMITS.messagePackElements }, () => null),
    });
    const response = await server.post(many, { headers });
    assert.equal(response.status, 422);
    assert.match(await response.text(), /more than 10000 values/);
    const fewer = encodeMessagePack({ text: "a", features: Array.from({ length: 9000 }, () => null), format: "pcm" });
    const accepted = await server.post(fewer, { headers });
    assert.equal(accepted.status, 200);
    await accepted.arrayBuffer();
  });

  it("list a limited number of issues", async (context) => {
    const server = await startTestServer();
    context.after(() => server.close());
    const response = await server.post({
      ...Object.fromEntries(["text", "format", "latency", "normalize", "seed", "top_p"].map((name) => [name, []])),
      references: Array.from({ length: 20 }, () => ({ audio: 7, text: 7 })),
    });
    assert.equal(response.status, 422);
    assert.equal(((await response.json()) as unknown[]).length, LIMITS.listedIssues);
  });

  it("report the number of recordings and not each of them", async (context) => {
    const server = await startTestServer();
    context.after(() => server.close());
    const response = await server.post({ text: "a", references: Array.from({ length: 5000 }, () => ({})) });
    assert.equal(response.status, 400);
    assert.match(await response.text(), /5000 recordings.*at most 20/);
  });
});

describe("a large body that is valid", () => {
  it("is read, however its reference audio is written", async (context) => {
    const server = await startTestServer();
    context.after(() => server.close());
    const audio = Buffer.alloc(MIB, 7);
    for (const written of [
      audio.toString("base64"),
      [...audio.subarray(0, 500_000)],
      audio.subarray(0, 500_000).toJSON(),
    ]) {
      // A voice is named, so the recordings are read and have no effect.
      const response = await server.post({
        text: "a",
        format: "pcm",
        reference_id: "tone",
        references: [{ audio: written }],
      });
      assert.notEqual(response.status, 422);
      await response.arrayBuffer();
    }
  });
});

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, it, type TestContext } from "node:test";
import type { BlobSettings } from "../config/blobs.ts";
import { keepCollectingGarbage } from "../testing/collect-garbage.ts";
import { startS3 } from "../testing/s3-server.ts";
import { signatureOf } from "../testing/signature-v4.ts";
import { createS3Objects } from "./s3-objects.ts";

const { signal } = new AbortController();
const file = (text: string) => ({ bytes: Buffer.from(text), type: "text/plain" });

async function setUp(context: TestContext, settings: Partial<BlobSettings> = {}) {
  const s3 = await startS3(context);
  const objects = createS3Objects({ ...s3.settings, ...settings }, { listed: 2 });
  const all = async (): Promise<readonly string[]> => {
    const keys: string[] = [];
    for await (const some of objects.list(signal)) keys.push(...some);
    return keys;
  };
  return { ...s3, objects, all };
}

describe("objects in S3", { timeout: 60_000 }, () => {
  it("are written, read, listed page by page and deleted", async (context) => {
    const { objects, all } = await setUp(context);
    assert.equal(await objects.get("voices/a/1", 100, signal), undefined);
    for (const key of ["voices/a/1", "voices/a/2", "voices/b/1"]) await objects.put(key, file(key), signal);
    await objects.ping(signal);
    assert.equal(String(await objects.get("voices/a/2", 100, signal)), "voices/a/2");
    assert.deepEqual(await all(), ["voices/a/1", "voices/a/2", "voices/b/1"]);
    await objects.remove("voices/a/2", signal);
    await objects.remove("voices/a/2", signal);
    assert.deepEqual(await all(), ["voices/a/1", "voices/b/1"]);
  });

  it("are requested with signatures as in the documentation of AWS", () => {
    const authorization =
      "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,Signature=";
    const headers = {
      authorization,
      host: "examplebucket.s3.amazonaws.com",
      range: "bytes=0-9",
      "x-amz-content-sha256": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
      "x-amz-date": "20130524T000000Z",
    };
    assert.equal(
      signatureOf({ method: "GET", url: "/test.txt", headers }, "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
      "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
    );
  });

  it("are not read beyond their size", async (context) => {
    const { objects } = await setUp(context);
    await objects.put("voices/a/1", { bytes: Buffer.alloc(100_000), type: "audio/ogg" }, signal);
    assert.equal((await objects.get("voices/a/1", 100_000, signal))?.length, 100_000);
    await assert.rejects(objects.get("voices/a/1", 99_999, signal), /more bytes than were stored/);
  });

  for (const [what, settings, message] of [
    ["a wrong secret", { secretAccessKey: "wrong" }, /answered 403 \(SignatureDoesNotMatch\)/],
    ["an unknown key", { accessKeyId: "nobody" }, /answered 403 \(InvalidAccessKeyId\)/],
    ["a bucket that does not exist", { bucket: "other" }, /answered 404 \(NoSuchBucket\)/],
  ] as const) {
    it(`say what is wrong: ${what}`, async (context) => {
      const { objects } = await setUp(context, settings);
      await assert.rejects(objects.ping(signal), { name: "ObjectStorageError", message });
      await assert.rejects(objects.get("voices/a/1", 100, signal), { name: "ObjectStorageError" });
    });
  }

  it("fail in bounded time when the server is silent or gone, and work again when it is back", async (context) => {
    const { objects, link, settings } = await setUp(context);
    link.stall();
    const impatient = createS3Objects(settings, { timeoutMs: 300 });
    await assert.rejects(impatient.put("voices/a/1", file("a"), signal), /no answer within 300 ms/);
    link.restore();
    await objects.put("voices/a/2", file("a"), signal);
    link.cut();
    await assert.rejects(objects.get("voices/a/2", 100, signal), /cannot be reached/);
    link.restore();
    assert.equal(String(await objects.get("voices/a/2", 100, signal)), "a");
  });

  it("fail in bounded time when the server stops sending", async (context) => {
    keepCollectingGarbage(context);
    const server = createServer((_, response) => void response.write("half of")).listen(0, "127.0.0.1");
    context.after(() => server.close().closeAllConnections());
    await once(server, "listening");
    const { settings } = await setUp(context);
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const objects = createS3Objects({ ...settings, endpoint }, { timeoutMs: 300 });
    await assert.rejects(objects.get("voices/a/1", 100, signal), /no answer within 300 ms/);
    const gone = new AbortController();
    setTimeout(() => gone.abort(new Error("gone")), 100);
    await assert.rejects(createS3Objects({ ...settings, endpoint }).get("voices/a/1", 100, gone.signal), /gone/);
  });

  it("are cancelled when the client disconnects", async (context) => {
    const { objects, link } = await setUp(context);
    link.stall();
    const gone = new AbortController();
    const reading = objects.get("voices/a/1", 100, gone.signal);
    gone.abort(new Error("the client has disconnected"));
    await assert.rejects(reading, /the client has disconnected/);
  });

  it("have a bounded queue", async (context) => {
    const { objects, link } = await setUp(context);
    link.stall();
    const results = await Promise.allSettled(
      Array.from({ length: 16 + 256 + 3 }, () => objects.get("voices/a/1", 100, AbortSignal.timeout(300))),
    );
    const refused = results.filter((each) => each.status === "rejected" && /are waiting/.test(String(each.reason)));
    assert.equal(refused.length, 3);
  });
});

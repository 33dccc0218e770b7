import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { collectGarbage } from "../lib/collect-garbage.ts";
import { pngFile } from "../testing/png-file.ts";
import { cleanImage, ImageError } from "./clean-image.ts";
import { sniffImage } from "./sniff.ts";

const never = new AbortController().signal;

describe("an untrusted picture", () => {
  it("is encoded again without metadata, at a limited size", async () => {
    const sent = Buffer.concat([pngFile(2000, 500), Buffer.from("<html>hidden</html>")]);
    const { type, bytes, width, height } = await cleanImage(sent, never);
    assert.deepEqual([type, width, height, sniffImage(bytes)], ["image/jpeg", 1024, 256, "jpeg"]);
    assert.ok(!Buffer.from(bytes).includes("script") && !Buffer.from(bytes).includes("hidden"));
    const again = await cleanImage(bytes, never);
    assert.deepEqual([again.type, again.width, again.height], ["image/jpeg", 1024, 256]);
  });

  it("keeps transparency", async () => {
    const { type, bytes, width } = await cleanImage(pngFile(64, 64, { alpha: true }), never);
    assert.deepEqual([type, width, sniffImage(bytes)], ["image/png", 64, "png"]);
    assert.ok(!Buffer.from(bytes).includes("Comment"));
  });

  for (const [name, bytes] of [
    ["text", Buffer.from("<svg onload=alert(1)>")],
    ["nothing", Buffer.alloc(0)],
    ["half a picture's head", pngFile(64, 64).subarray(0, 20)],
    ["a picture that claims to be huge", pngFile(4, 4, { claim: 2 ** 30 })],
    ["a picture without its content", Buffer.concat([pngFile(4, 4).subarray(0, 40), Buffer.alloc(200, 7)])],
  ] as const) {
    it(`is refused when it is ${name}`, async () => {
      await assert.rejects(cleanImage(bytes, never), ImageError);
    });
  }

  it("is refused when it takes much CPU time", { timeout: 90_000 }, async () => {
    // Comparing the remarks takes minutes.
    const picture = pngFile(64, 64, { remarks: 200_000 });
    await assert.rejects(cleanImage(picture, never, { timeoutMs: 600_000 }), ImageError);
  });

  it("is refused when it takes long, also after a garbage collection", { timeout: 60_000 }, async () => {
    // The process takes longer than that to start.
    const work = cleanImage(pngFile(64, 64), never, { timeoutMs: 100 });
    const refused = assert.rejects(work, ImageError);
    collectGarbage();
    await refused;
  });

  it("is dropped when the signal aborts", async () => {
    const controller = new AbortController();
    const work = cleanImage(pngFile(64, 64), controller.signal);
    controller.abort(new Error("gone"));
    await assert.rejects(work, /gone/);
  });
});

import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { ApiError } from "./api-error.ts";
import { encodeMessagePack } from "./message-pack.ts";
import { readMessagePackMap } from "./message-pack-map.ts";
import { MessagePackError } from "./message-pack-scan.ts";

async function* cut(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let turn = 0;
  for (let at = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    yield bytes.slice(at, at + size);
    at += size;
  }
}

async function read(bytes: Uint8Array, sizes: readonly number[] = [1000], mostOtherBytes = 4096) {
  const parts: Uint8Array[] = [];
  const take = async (part: Uint8Array) => void parts.push(part.slice());
  const result = await readMessagePackMap(cut(bytes, sizes), { key: "audio", take }, mostOtherBytes);
  return { ...result, audio: Buffer.concat(parts) };
}

/** A map in which a key may come twice. */
function map(...entries: readonly (readonly [string, unknown])[]): Uint8Array {
  const parts = entries.flatMap(([key, value]) => [encodeMessagePack(key), encodeMessagePack(value)]);
  return Buffer.concat([Uint8Array.of(0x80 | entries.length), ...parts]);
}

describe("a map that is read as it arrives", () => {
  it("is the same wherever it was cut, and gives the large value apart", async () => {
    const field = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.array(fc.string()));
    const fields = fc.dictionary(
      fc.string().filter((key) => key !== "audio" && key !== "__proto__"),
      field,
      { maxKeys: 6 },
    );
    const sizes = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(fields, fc.uint8Array({ maxLength: 500 }), sizes, async (given, audio, pieces) => {
        const result = await read(encodeMessagePack({ ...given, audio }), pieces);
        assert.equal(result.streamed, "given");
        assert.deepEqual(Buffer.from(result.audio), Buffer.from(audio));
        assert.deepEqual(result.value, { ...given, audio: null });
      }),
    );
  });

  it("says how often the bytes were there, and whether they were bytes", async () => {
    const bytes = Uint8Array.of(1, 2);
    const streamed = async (...entries: readonly (readonly [string, unknown])[]) =>
      (await read(map(...entries))).streamed;
    assert.equal(await streamed(["language", "en"]), "missing");
    assert.equal(await streamed(["audio", null]), "missing");
    assert.equal(await streamed(["audio", bytes], ["audio", bytes]), "given twice");
    assert.equal(await streamed(["audio", "text"]), "not bytes");
    assert.equal(await streamed(["audio", [1, [2], { a: 3 }]]), "not bytes");
    assert.deepEqual((await read(encodeMessagePack([1, "two"]))).value, [1, "two"]);
  });

  it("holds no more than it may of anything else", async () => {
    await assert.rejects(
      read(encodeMessagePack({ note: "x".repeat(5000), audio: Uint8Array.of(1) })),
      (error) => error instanceof ApiError && error.status === 413,
    );
    const large = await read(encodeMessagePack({ audio: new Uint8Array(100_000) }));
    assert.equal(large.audio.length, 100_000);
  });

  it("never does anything but read or refuse, whatever the bytes", async () => {
    const whole = encodeMessagePack({ audio: new Uint8Array(20), language: "en", list: [1, { a: true }] });
    for (let size = 0; size < whole.length; size += 1) {
      await assert.rejects(read(whole.slice(0, size)), MessagePackError);
    }
    await assert.rejects(read(Buffer.concat([whole, Uint8Array.of(1)])), /more bytes follow/);
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 60 }), async (bytes) => {
        await read(bytes).catch((error) => {
          if (!(error instanceof MessagePackError || error instanceof ApiError)) throw error;
        });
      }),
    );
  });
});

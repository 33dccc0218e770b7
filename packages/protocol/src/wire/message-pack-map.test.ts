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

async function read(bytes: Uint8Array, sizes: readonly number[] = [1000], maxOtherBytes = 0) {
  const files: Uint8Array[] = [];
  const others: unknown[] = [];
  const value = await readMessagePackMap(
    cut(bytes, sizes),
    {
      isFile: (key) => key === "audio",
      maxOtherBytes: () => maxOtherBytes,
      async file(_key, chunks) {
        const parts: Uint8Array[] = [];
        for await (const chunk of chunks) parts.push(chunk.slice());
        files.push(Buffer.concat(parts));
      },
      other: async (_key, other, index) => void others.push([other, index]),
    },
    4096,
  );
  return { value, files, others };
}

/** A map in which a key may come twice. */
function map(...entries: readonly (readonly [string, unknown])[]): Uint8Array {
  const parts = entries.flatMap(([key, value]) => [encodeMessagePack(key), encodeMessagePack(value)]);
  return Buffer.concat([Uint8Array.of(0x80 | entries.length), ...parts]);
}

describe("a MessagePack map that is read as it arrives", () => {
  it("is the same for every size of the chunks, and passes the file on", async () => {
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
        assert.deepEqual(result.files, [Buffer.from(audio)]);
        assert.deepEqual(result.value, { ...given, audio: null });
      }),
    );
  });

  it("passes on every file of an array and of a repeated key", async () => {
    const [a, b] = [Buffer.from([1, 2]), Buffer.from([3])];
    assert.deepEqual((await read(map(["audio", [a, b]]))).files, [a, b]);
    assert.deepEqual((await read(map(["audio", a], ["audio", b]))).files, [a, b]);
    const none = await read(map(["language", "en"], ["audio", null]));
    assert.deepEqual([none.files, none.others], [[], []]);
    assert.deepEqual((await read(encodeMessagePack([1, "two"]))).value, [1, "two"]);
  });

  it("reports a value in place of a file, and keeps it only where that is allowed", async () => {
    const bytes = map(["audio", "text"], ["audio", [Buffer.from([1]), [2, 3], null]]);
    const held = await read(bytes, [1000], 100);
    assert.deepEqual(held.files, [Buffer.from([1])]);
    assert.deepEqual(held.others, [
      ["text", undefined],
      [[2, 3], 1],
      [null, 2],
    ]);
    const skipped = await read(bytes);
    assert.deepEqual(skipped.others, [
      [undefined, undefined],
      [undefined, 1],
      [undefined, 2],
    ]);
  });

  it("limits the bytes of everything that is not a file", async () => {
    const tooLarge = (error: unknown) => error instanceof ApiError && error.status === 413;
    await assert.rejects(read(encodeMessagePack({ note: "x".repeat(5000), audio: Uint8Array.of(1) })), tooLarge);
    await assert.rejects(read(encodeMessagePack({ audio: "x".repeat(200) }), [1000], 100), tooLarge);
    const large = await read(encodeMessagePack({ audio: new Uint8Array(100_000) }));
    assert.equal(large.files[0]?.length, 100_000);
  });

  it("reads or refuses any bytes, and never fails in another way", async () => {
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

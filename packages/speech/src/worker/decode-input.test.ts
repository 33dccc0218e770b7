import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Decoder } from "../audio/decode/index.ts";
import { AudioError } from "../errors.ts";
import { decodeInput } from "./decode-input.ts";

const never = new AbortController().signal;

test("a recording that is longer than the limit is refused while it arrives, and its file is removed", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "parlance-test-"));
  t.after(() => rmSync(folder, { recursive: true }));
  let sent = 0;
  const input = async function* () {
    for (;;) {
      sent++;
      yield new Uint8Array(1_000);
    }
  };
  const decoder: Decoder = {
    decode: () => Promise.reject(new Error("it is not decoded")),
    processes: () => [],
    close: async () => {},
  };
  const job = { options: { sampleRate: 16_000 } };
  const parts = decodeInput(decoder, job, input(), folder, never, 2_500);
  await assert.rejects(parts.next(), (error) => error instanceof AudioError && error.code === "too_costly");
  assert.equal(sent, 3);
  assert.deepEqual(readdirSync(folder), []);
});

import assert from "node:assert/strict";
import { it } from "node:test";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { wavFile } from "../../testing/wav-file.ts";
import { createUploadFolder } from "../uploads/upload-folder.ts";
import { createAudioExports } from "./audio-exports.ts";

it("conversions that their client does not read keep no other account waiting", {
  timeout: 60_000,
}, async (context) => {
  const exports = createAudioExports(createUploadFolder(await temporaryFolder(context)));
  context.after(() => exports.close());
  const audio = Buffer.from(wavFile(new Int16Array(8000), 16_000));
  const stopped = new AbortController();
  const [unread, ...waiting] = Array.from({ length: 3 }, () => exports.convert("a", audio, "mp3", stopped.signal));
  assert.equal((await unread?.next())?.done, false);
  const waits = Promise.all(waiting.map((each) => assert.rejects(each.next(), /left/)));
  let bytes = 0;
  for await (const part of exports.convert("b", audio, "mp3", context.signal)) bytes += part.length;
  assert.ok(bytes > 0);
  stopped.abort(new Error("the client has left"));
  await unread?.return(undefined);
  await waits;
});

it("conversions beyond those that may run and wait are refused, and the others end", async (context) => {
  const exports = createAudioExports(createUploadFolder(await temporaryFolder(context)));
  context.after(() => exports.close());
  const audio = Buffer.from(wavFile(new Int16Array(8000), 16_000));
  const started = Array.from({ length: 40 }, () => exports.convert("a", audio, "mp3", context.signal));
  const outcomes = await Promise.all(
    started.map(async (conversion) => {
      try {
        let bytes = 0;
        for await (const part of conversion) bytes += part.length;
        return bytes > 0 ? "converted" : "empty";
      } catch (error) {
        return (error as { readonly code?: string }).code;
      }
    }),
  );
  assert.equal(outcomes.filter((outcome) => outcome === "converted").length, 31);
  assert.equal(outcomes.filter((outcome) => outcome === "overloaded").length, 9);
});

import assert from "node:assert/strict";
import { it } from "node:test";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { wavFile } from "../../testing/wav-file.ts";
import { createUploadFolder } from "../uploads/upload-folder.ts";
import { createAudioExports } from "./audio-exports.ts";

it("conversions beyond those that may run and wait are refused, and the others end", async (context) => {
  const exports = createAudioExports(createUploadFolder(await temporaryFolder(context)));
  context.after(() => exports.close());
  const audio = Buffer.from(wavFile(new Int16Array(8000), 16_000));
  const started = Array.from({ length: 40 }, () => exports.convert(audio, "mp3", context.signal));
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
  assert.equal(outcomes.filter((outcome) => outcome === "converted").length, 32);
  assert.equal(outcomes.filter((outcome) => outcome === "overloaded").length, 8);
});

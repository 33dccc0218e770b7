import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { createDecoder } from "../decode/index.ts";
import { createArchiveEncoder, encodeFile } from "./archive.ts";

const SAMPLE_RATE = 16_000;

/** Two seconds of a tone, as 16-bit samples. */
function tone(): Uint8Array {
  const samples = Int16Array.from(
    { length: 2 * SAMPLE_RATE },
    (_, at) => 12_000 * Math.sin((at * 2 * Math.PI * 440) / SAMPLE_RATE),
  );
  return new Uint8Array(samples.buffer);
}

it("audio that is kept can be encoded in another format, at its length and loudness", async (context) => {
  const folder = await mkdtemp(join(tmpdir(), "parlance-archive-"));
  context.after(() => rm(folder, { recursive: true, force: true }));
  const [source, scratch] = [join(folder, "kept.ogg"), join(folder, "samples")];
  const encoder = createArchiveEncoder(SAMPLE_RATE);
  const input = tone();
  const kept = [await encoder.push(input.subarray(0, 10_000)), await encoder.push(input.subarray(10_000))];
  kept.push(await encoder.finish());
  assert.equal(encoder.contentType, "audio/ogg; codecs=opus");
  const file = Buffer.concat(kept);
  assert.ok(file.length < input.length, `${file.length} bytes`);
  await writeFile(source, file);
  const decoder = createDecoder({ processes: 1 });
  context.after(() => decoder.close());
  const output = { format: "pcm", sampleRate: SAMPLE_RATE, mp3Bitrate: 128, opusBitrate: "auto" } as const;
  const parts: Uint8Array[] = [];
  for await (const part of encodeFile(decoder, { source, scratch }, output, context.signal)) parts.push(part);
  const bytes = Buffer.concat(parts);
  assert.ok(Math.abs(bytes.length - input.length) < 1000, `${bytes.length} of ${input.length} bytes`);
  const peak = Math.max(...new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length >> 1).subarray(SAMPLE_RATE));
  assert.ok(peak > 10_000 && peak < 14_000, `the loudest sample is ${peak}`);
});

import assert from "node:assert/strict";
import { it } from "node:test";
import { OUTPUT_FORMATS, parseOutputFormat } from "../packages/server/src/dialects/elevenlabs/output-format.ts";
import { createEncoder } from "../packages/speech/src/audio/index.ts";

it("every output format of ElevenLabs has an encoder", async () => {
  assert.equal(OUTPUT_FORMATS.length, 28);
  for (const name of OUTPUT_FORMATS) {
    const { format, sampleRate, bitrates } = parseOutputFormat(name);
    const encoder = createEncoder({ format, sampleRate, mp3Bitrate: 128, opusBitrate: "auto", ...bitrates });
    const bytes = (await encoder.encode(new Float32Array(sampleRate / 10))).length + (await encoder.finish()).length;
    encoder.close();
    assert.ok(bytes > 100, name);
  }
});

it("a format that is not listed is refused", () => {
  for (const name of ["mp3", "mp3_44100", "pcm_11025", "flac_44100", ""]) {
    assert.throws(() => parseOutputFormat(name), /output_format/, name);
  }
});

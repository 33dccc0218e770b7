import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";
import type { Transcript } from "@parlance/client";
import { wavFile } from "../../../packages/server/src/testing/wav-file.ts";
import { testModels } from "../../../packages/speech/src/testing/models.ts";
import { wordErrors } from "../../../packages/speech/src/testing/word-errors.ts";
import type { RealServer } from "../real-server.ts";

/** Real speech in parts, with a real recognizer. */
export function asrLongSuite(server: RealServer): void {
  describe("a long recording of speech", () => {
    it("has the same words and times as the undivided recording", async () => {
      const models = await testModels("test-speech");
      const clips = ["0870", "0880", "0890", "0920", "0930"];
      const folder = "librivox/sense_and_sensibility_01_austen_64kb-";
      const [sounds, texts] = await Promise.all([
        Promise.all(clips.map((clip) => readFile(models.path("test-speech", `${folder}${clip}.wav`)))),
        Promise.all(clips.map((clip) => readFile(models.path("test-speech", `${folder}${clip}.txt`), "utf8"))),
      ]);
      const once = Buffer.concat(sounds.map((sound) => sound.subarray(44)));
      const times = 2;
      const pcm = Buffer.concat(Array.from({ length: times }, () => once));
      const samples = new Int16Array(pcm.buffer.slice(pcm.byteOffset, pcm.byteOffset + pcm.length));
      const file = new Blob([wavFile(samples, 16_000)]);

      const progress: number[] = [];
      const transcript: Transcript = await server.client.asr.long(file, {
        language: "en",
        granularity: "word",
        partSeconds: 15,
        onProgress: ({ seconds }) => progress.push(seconds),
      });
      const spoken = Array.from({ length: times }, () => texts.map((text) => text.trim()).join(" ")).join(" ");
      const { errors, words } = wordErrors(spoken, transcript.text);
      assert.ok(errors / words <= 0.06, `${errors} of ${words} words`);
      assert.ok(Math.abs(transcript.duration - samples.length / 16_000) < 0.002);
      assert.ok(progress.length >= 4, `${progress.length} parts`);
      assert.equal(transcript.language, "en");
      let before = 0;
      for (const { text, start, end } of transcript.segments) {
        assert.ok(start >= before - 0.001 && end >= start && end <= transcript.duration, `${text}: ${start} to ${end}`);
        before = start;
      }
      // The same clip is repeated: its words are at the same positions each time. Full stops and capitals may differ
      // where a part begins in the middle of a sentence.
      const period = once.length / 2 / 16_000;
      const bare = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}']/gu, "");
      const first = transcript.segments.filter(({ start }) => start < period);
      for (let turn = 1; turn < times; turn += 1) {
        const placed = first.filter(({ text, start }) =>
          transcript.segments.some(
            (other) => bare(other.text) === bare(text) && Math.abs(other.start - start - turn * period) < 0.3,
          ),
        );
        assert.ok(placed.length >= first.length * 0.9, `turn ${turn}: ${placed.length} of ${first.length} words`);
      }
    });
  });
}

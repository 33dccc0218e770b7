import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createPlayback } from "./playback.ts";
import { createSpokenText } from "./spoken-text.ts";

const text = "“Well,” he said, it is. Yes – it is!";
function chunk(content: string, chunk_seq: number, offset: number, words: readonly string[]) {
  const segments = words.map((word, index) => ({ text: word, start: index, end: index + 1 }));
  const alignment = { segments, audio_duration: words.length };
  return { content, chunk_seq, chunk_audio_offset_sec: offset, alignment };
}

describe("the text that was played", () => {
  const spoken = createSpokenText();
  spoken.add(undefined);
  spoken.add(chunk("“Well,” he said, it is.", 0, 0, ["Well"]));
  spoken.add(chunk("“Well,” he said, it is.", 0, 0, ["Well", "he", "said", "it", "is"]));
  spoken.add({ ...chunk("“Well,” he said, it is.", 0, 0, []), alignment: null });
  spoken.add(chunk("Yes – it is!", 1, 5.5, ["Yes", "it", "is"]));

  it("ends with the last word of which most was played", () => {
    for (const [seconds, played] of [
      [0, ""],
      [0.4, ""],
      [0.6, "“Well"],
      [2.6, "“Well,” he said"],
      [4.6, "“Well,” he said, it is."],
      [5.4, "“Well,” he said, it is."],
      [6.1, "“Well,” he said, it is. Yes"],
      [7.1, "“Well,” he said, it is. Yes – it"],
      [60, text],
    ] as const)
      assert.equal(spoken.upTo(text, seconds), played, `${seconds}`);
  });

  it("has no more than what was spoken, and skips what cannot be found", () => {
    assert.equal(spoken.upTo(`${text} And more.`, 60), text);
    assert.equal(spoken.upTo("Something else", 60), "");
  });
});

describe("the playback position of a client", () => {
  it("follows the clock, waits for audio that is late, and stops at the end", () => {
    let now = 1000;
    const playback = createPlayback(() => now);
    assert.deepEqual([playback.played, playback.total], [0, 0]);
    playback.sent(1);
    playback.sent(1);
    now += 500;
    assert.deepEqual([playback.played, playback.total], [0.5, 2]);
    now += 5000;
    assert.equal(playback.played, 2);
    playback.sent(1);
    assert.equal(playback.played, 2);
    now += 250;
    assert.equal(playback.played, 2.25);
  });
});

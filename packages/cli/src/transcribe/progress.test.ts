import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createTranscribeProgress } from "./progress.ts";

describe("the progress of a transcription", () => {
  it("is a bar with the time left, estimated from this run", () => {
    let [written, now] = ["", 0];
    const stream = { isTTY: true, columns: 100, write: (text: string) => (written = text) };
    const progress = createTranscribeProgress(stream, {}, "talk.mp3", () => now);
    now = 60_000;
    progress.onProgress({ seconds: 1800, total: 5400, resumed: 1200 });
    assert.equal(written, "\r\u001b[Ktalk.mp3  ███████░░░░░░░░░░░░░   33 %  30:00 of 1:30:00  6 min left");
    progress.onProgress({ seconds: 5400, total: 5400, resumed: 1200 });
    assert.match(written, /100 % {2}1:30:00 of 1:30:00$/);
    progress.onProgress({ seconds: 65, total: undefined, resumed: 0 });
    assert.match(written, /talk\.mp3 {2}1:05 done$/);
    progress.clear();
    assert.equal(written, "\r\u001b[K");
  });

  it("draws nothing without a terminal", () => {
    const stream = { isTTY: false, write: () => assert.fail("something was written") };
    const progress = createTranscribeProgress(stream, {}, "a");
    progress.note("listening");
    progress.onProgress({ seconds: 1, total: 2, resumed: 0 });
    progress.clear();
  });
});

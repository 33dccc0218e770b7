import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { AsrResult } from "@parlance/protocol";
import { transcribeInParts } from "./in-parts.ts";
import type { FinishedPart, Pcm, Progress } from "./types.ts";

const RATE = 8000;

/** A minute and a half of sound that never pauses: parts of 10 to 20 seconds. */
function pcm(seconds = 90): Pcm {
  async function* samples() {
    for (let second = 0; second < seconds; second += 1) yield new Float32Array(RATE).fill(0.1);
  }
  return { sampleRate: RATE, seconds, samples: samples() };
}

const secondsOf = (wav: Uint8Array): number => (wav.length - 44) / 2 / RATE;

function resultOf(text: string, language: string | null = "en"): AsrResult {
  return { text, duration: 1, segments: [{ text, start: 0.25, end: 0.5 }], language, language_code: language };
}

const options = { partSeconds: 20 };

describe("a recording in parts", () => {
  it("joins transcripts in order, with times from the start of the recording", async () => {
    let [count, running, most] = [0, 0, 0];
    const lengths: number[] = [];
    const progress: Progress[] = [];
    const result = await transcribeInParts(
      pcm(),
      async (wav) => {
        const number = count++;
        lengths[number] = secondsOf(wav);
        most = Math.max(most, ++running);
        await new Promise((resolve) => setTimeout(resolve, number % 2 === 0 ? 30 : 1));
        running -= 1;
        return resultOf(`part ${number}`, number === 1 ? "fr" : "en");
      },
      { ...options, concurrency: 3, onProgress: (step) => progress.push(step) },
    );
    assert.equal(most, 3);
    assert.equal(result.text, lengths.map((_, number) => `part ${number}`).join(" "));
    assert.equal(result.duration, 90);
    assert.equal(result.language, "en");
    let start = 0;
    for (const [number, segment] of result.segments.entries()) {
      assert.equal(segment.text, `part ${number}`);
      assert.ok(Math.abs(segment.start - start - 0.25) < 1e-3 && Math.abs(segment.end - start - 0.5) < 1e-3);
      start += lengths[number] ?? 0;
    }
    assert.equal(progress.length, lengths.length);
    assert.deepEqual(progress.at(-1), { seconds: 90, total: 90, resumed: 0 });
  });

  it("resumes after an interruption", async () => {
    const kept: FinishedPart[] = [];
    const resume = { load: async () => [...kept], add: async (part: FinishedPart) => void kept.push(part) };
    let sent = 0;
    const broken = transcribeInParts(
      pcm(),
      async () => {
        if (++sent > 3) throw new Error("the line is down");
        return resultOf(`part ${sent}`);
      },
      { ...options, concurrency: 1, resume },
    );
    await assert.rejects(broken, /the line is down/);
    assert.equal(kept.length, 3);
    const progress: Progress[] = [];
    const again = await transcribeInParts(pcm(), async () => resultOf(`part ${sent++}`), {
      ...options,
      concurrency: 1,
      resume,
      onProgress: (step) => progress.push(step),
    });
    assert.match(again.text, /^part 1 part 2 part 3 part 4 part 5/);
    const resumed = kept.slice(0, 3).reduce((sum, part) => sum + part.seconds, 0);
    assert.equal(progress.at(-1)?.resumed, resumed);
    // Parts of a recording that was split at other positions cannot be used.
    const other = await transcribeInParts(pcm(), async () => resultOf("new"), { partSeconds: 30, resume });
    assert.match(other.text, /^(new ?)+$/);
  });

  it("stops all parts when one fails or it is aborted", async () => {
    const caller = new AbortController();
    for (const fail of [() => Promise.reject(new Error("no")), async () => caller.abort(new Error("no"))]) {
      const stopped: unknown[] = [];
      let count = 0;
      const work = transcribeInParts(
        pcm(),
        async (_wav, signal) => {
          if (count++ === 2) await fail();
          await new Promise((_resolve, reject) => {
            const stop = (): void => {
              stopped.push(signal.reason);
              reject(signal.reason);
            };
            if (signal.aborted) stop();
            else signal.addEventListener("abort", stop);
          });
          return resultOf("never");
        },
        { ...options, concurrency: 3, signal: caller.signal },
      );
      await assert.rejects(work, /^Error: no$/);
      assert.ok(stopped.length >= 2);
      assert.equal(count, 3);
    }
  });

  it("joins languages without spaces, and skips silent parts", async () => {
    const texts = ["今日は。", "いい天気", "", "です", "ok"];
    let count = 0;
    const { text, language } = await transcribeInParts(
      pcm(),
      async () => {
        const spoken = texts[count++] ?? "";
        return resultOf(spoken, spoken === "" ? null : "ja");
      },
      { ...options, concurrency: 1 },
    );
    assert.equal(text, "今日は。いい天気です ok");
    assert.equal(language, "ja");
    const silent = await transcribeInParts(pcm(3), async () => ({ ...resultOf("", null), segments: [] }));
    assert.deepEqual(silent, { text: "", duration: 3, segments: [], language: null });
  });

  it("sends 16 kHz mono", async () => {
    const loud: Pcm = {
      sampleRate: 48_000,
      seconds: 2,
      samples: (async function* () {
        yield new Float32Array(96_000).fill(0.5);
      })(),
    };
    const { duration } = await transcribeInParts(loud, async (wav) => {
      assert.equal(new DataView(wav.buffer).getUint32(24, true), 16_000);
      assert.equal(wav.length, 44 + 2 * 32_000);
      return resultOf("x");
    });
    assert.equal(duration, 2);
  });
});

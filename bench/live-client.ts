/** A client of the live socket: sends tokens at the pace of a language model and measures when audio arrives. */
import { setTimeout as sleep } from "node:timers/promises";
import type { LiveConnection } from "@parlance/client";

const sampleRate = 24_000;
const bytesPerMs = (sampleRate * 2) / 1000;
const request = { format: "pcm", sample_rate: sampleRate, seed: 1 } as const;
const tokenMs = 1000 / 20;
/** Shorter gaps are inaudible, and below the precision of the timers. */
const minGapMs = 1;

export interface LiveTiming {
  /** Since the first token was sent. */
  readonly firstAudioMs: number;
  readonly gaps: number;
  /** How long a player that starts with the first audio would have stalled. */
  readonly gapsMs: number;
  readonly audioSeconds: number;
}

/** Tokens about as long as those of a language model: long words are split. */
export function tokensOf(text: string): string[] {
  return text.match(/\s*[^\s]{1,5}/g) ?? [];
}

/** Sends twenty tokens a second, independent of what the server returns. */
export async function speakTokens(live: LiveConnection, tokens: readonly string[]): Promise<LiveTiming> {
  const session = live.round(request);
  const start = performance.now();
  async function* paced() {
    for (const [index, token] of tokens.entries()) {
      const wait = start + index * tokenMs - performance.now();
      if (wait > 0) await sleep(wait);
      yield token;
    }
  }
  session.speak(paced());
  let firstAudioMs = 0;
  let bytes = 0;
  let gaps = 0;
  let gapsMs = 0;
  for await (const { audio } of session) {
    const now = performance.now();
    if (bytes === 0) firstAudioMs = now - start;
    const late = now - (start + firstAudioMs + gapsMs + bytes / bytesPerMs);
    if (late >= minGapMs) {
      gaps += 1;
      gapsMs += late;
    }
    bytes += audio.length;
  }
  return { firstAudioMs, gaps, gapsMs, audioSeconds: bytes / bytesPerMs / 1000 };
}

/** Milliseconds from the flush of a text that was sent before to its first audio. */
export async function flushToFirstAudio(live: LiveConnection, text: string): Promise<number> {
  const session = live.round(request);
  session.send(text);
  const start = performance.now();
  session.flush();
  let firstAudioMs = 0;
  for await (const _frame of session) {
    firstAudioMs ||= performance.now() - start;
    session.stop();
  }
  return firstAudioMs;
}

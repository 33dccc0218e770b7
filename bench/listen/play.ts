/** Plays a recording at the pace of speech, and notes when which words came. */
import { setTimeout as sleep } from "node:timers/promises";
import type { ListenEvent, Parlance } from "@parlance/client";

export const CHUNK_SECONDS = 0.04;

/** One channel of 16 bits. */
export interface Recorded {
  readonly samples: Int16Array;
  readonly sampleRate: number;
}

export interface Played {
  readonly seconds: number;
  readonly text: string;
  /** The texts of its segments, in order. */
  readonly segments: readonly string[];
  /** Seconds from the end of each word to its first appearance. */
  readonly wordDelays: readonly number[];
  /** Seconds from the end of speech to the final text, for each turn. */
  readonly finalDelays: readonly number[];
  readonly shownWords: number;
  /** Words that were different later. */
  readonly changes: readonly { readonly shown: string; readonly later: string }[];
  /** When the turns ended, in seconds of the recording. */
  readonly turnEnds: readonly number[];
  /** How far the events were behind the audio at the end. */
  readonly behindSeconds: number;
}

export async function play(client: Parlance, { samples, sampleRate }: Recorded, language: string): Promise<Played> {
  const session = await client.asr.live({ language, sampleRate });
  const chunk = Math.round(CHUNK_SECONDS * sampleRate);
  const started = performance.now();
  const now = (): number => (performance.now() - started) / 1000;
  const reading = collect(session, now);
  // A refusal is thrown below, when it is awaited.
  reading.catch(() => {});
  for (let at = 0; at < samples.length; at += chunk) {
    const wait = (at + chunk) / sampleRate - now();
    if (wait > 0) await sleep(wait * 1000);
    await session.send(samples.slice(at, at + chunk));
  }
  session.stop();
  const seconds = samples.length / sampleRate;
  return { ...(await reading), seconds, behindSeconds: Math.max(0, now() - seconds) };
}

/** What is read of the events. */
export type RecognizedEvent =
  | { readonly event: "speech_stopped"; readonly time: number }
  | (HeardText & { readonly event: "partial" })
  | (HeardText & { readonly event: "segment"; readonly ends_turn: boolean })
  | Exclude<ListenEvent, { readonly event: "speech_stopped" | "partial" | "segment" }>;

interface HeardText {
  readonly text: string;
  readonly words: readonly { readonly text: string; readonly end: number }[];
  readonly end: number;
}

export async function collect(events: AsyncIterable<RecognizedEvent>, now: () => number) {
  const texts: string[] = [];
  const wordDelays: number[] = [];
  const finalDelays: number[] = [];
  const turnEnds: number[] = [];
  const changes: { shown: string; later: string }[] = [];
  let shownWords = 0;
  let shown: string[] = [];
  for await (const event of events) {
    if (event.event === "speech_stopped") turnEnds.push(event.time);
    if (event.event !== "partial" && event.event !== "segment") continue;
    const words = event.words.map(({ text }) => plain(text));
    // A shorter text only holds words back.
    const compared = shown.slice(0, words.length);
    const kept = keptWords(compared, words);
    for (const [index, word] of compared.entries()) {
      if (!kept.has(index)) changes.push({ shown: word, later: words.slice(index, index + 2).join(" ") });
    }
    for (const { end } of event.words.slice(shown.length)) wordDelays.push(now() - end);
    shownWords += Math.max(0, words.length - shown.length);
    shown = event.event === "segment" ? [] : [...words, ...shown.slice(words.length)];
    if (event.event !== "segment") continue;
    texts.push(event.text);
    if (event.ends_turn) finalDelays.push(now() - (turnEnds.at(-1) ?? event.end));
  }
  return { text: texts.join(" "), segments: texts, wordDelays, finalDelays, turnEnds, shownWords, changes };
}

/** The words that are still there, in the same order: a word that was put between them changes none of them. */
function keptWords(before: readonly string[], after: readonly string[]): ReadonlySet<number> {
  /** The most words that are kept from these positions on. */
  const most = before.map(() => new Array<number>(after.length + 1).fill(0));
  const at = (i: number, j: number): number => most[i]?.[j] ?? 0;
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      const value = before[i] === after[j] ? 1 + at(i + 1, j + 1) : Math.max(at(i + 1, j), at(i, j + 1));
      const row = most[i];
      if (row) row[j] = value;
    }
  }
  const kept = new Set<number>();
  for (let [i, j] = [0, 0]; i < before.length && j < after.length; ) {
    if (before[i] === after[j]) {
      kept.add(i++);
      j++;
    } else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return kept;
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

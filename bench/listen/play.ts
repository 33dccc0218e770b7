/** Plays a recording at the pace of speech, and notes when which words came. */
import { setTimeout as sleep } from "node:timers/promises";
import type { ListenEvent, Parlance } from "@parlance/client";

const CHUNK_SECONDS = 0.04;

/** One channel of 16 bits. */
export interface Recorded {
  readonly samples: Int16Array;
  readonly sampleRate: number;
}

export interface Played {
  readonly seconds: number;
  readonly text: string;
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

async function collect(events: AsyncIterable<ListenEvent>, now: () => number) {
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
    for (const [index, word] of shown.entries()) {
      const later = words[index];
      if (later !== undefined && later !== word) changes.push({ shown: word, later });
    }
    for (const { end } of event.words.slice(shown.length)) wordDelays.push(now() - end);
    shownWords += Math.max(0, words.length - shown.length);
    // A shorter partial text only holds words back.
    shown = event.event === "segment" ? [] : [...words, ...shown.slice(words.length)];
    if (event.event !== "segment") continue;
    texts.push(event.text);
    if (event.ends_turn) finalDelays.push(now() - (turnEnds.at(-1) ?? event.end));
  }
  return { text: texts.join(" "), wordDelays, finalDelays, turnEnds, shownWords, changes };
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

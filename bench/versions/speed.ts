import { ofLength } from "../sentences.ts";
import type { startBenchServer } from "../server-handle.ts";
import { type StreamTiming, streamSpeech } from "../speech-client.ts";
import { median, round } from "../statistics.ts";

export type Server = Awaited<ReturnType<typeof startBenchServer>>;
/** The two that are compared. */
export type Versions = Readonly<Record<Version, Server>>;
export type Version = "now" | "before";
export const versionNames: readonly Version[] = ["now", "before"];

/** Older versions know no other name. The server has one engine only. */
export const MODEL = "s2-pro";
const WARM_UPS = 6;
const texts = [
  { length: 20, text: "Good morning, friend." },
  ...[40, 160, 1000].map((length) => ({ length, text: ofLength(length) })),
];
const STREAMS = [2, 4, 6, 8, 12, 16];
const STREAM_CHARACTERS = 200;

const speakOn = ({ url, key }: Server, text: string): Promise<StreamTiming> => streamSpeech(url, key, text, MODEL);

/** First audio, time and CPU time of whole texts, and streams that stay ahead of playback. */
export async function compareSpeed(versions: Versions, rounds: number) {
  for (let warm = 0; warm < WARM_UPS; warm++) {
    for (const name of versionNames) await speakOn(versions[name], ofLength(100));
  }
  const lengths: Record<string, Record<string, number>> = {};
  for (const { length, text } of texts) {
    lengths[`${length} characters`] = await compareText(versions, text, rounds);
    console.log(`${length} characters`, lengths[`${length} characters`]);
  }
  console.table(lengths);
  const streams = await compareStreams(versions);
  return { lengths, streams };
}

async function compareText(versions: Versions, text: string, rounds: number) {
  const timings: Record<Version, StreamTiming[]> = { now: [], before: [] };
  const cpu: Record<Version, number> = { now: 0, before: 0 };
  for (let round = 0; round < rounds; round++) {
    // In turns, so that both see the same state of the machine.
    for (const name of versionNames) {
      const { cpuSeconds } = await versions[name].report();
      timings[name].push(await speakOn(versions[name], text));
      cpu[name] += (await versions[name].report()).cpuSeconds - cpuSeconds;
    }
  }
  const of = (name: Version) => ({
    first: median(timings[name].map((one) => one.firstAudioMs)),
    rtf: median(timings[name].map((one) => one.totalMs / 1000 / one.audioSeconds)),
    cpu: cpu[name] / timings[name].reduce((sum, one) => sum + one.audioSeconds, 0),
  });
  const [now, before] = [of("now"), of("before")];
  return {
    "first audio ms": round(now.first),
    before: round(before.first),
    ratio: round(now.first / before.first, 2),
    RTF: round(now.rtf, 3),
    "RTF before": round(before.rtf, 3),
    "RTF ratio": round(now.rtf / before.rtf, 2),
    "CPU s per s": round(now.cpu, 3),
    "CPU before": round(before.cpu, 3),
    "CPU ratio": round(now.cpu / before.cpu, 2),
  };
}

/** How many of so many streams are ahead of playback all the time. After half of them are late, more are not tried. */
async function compareStreams(versions: Versions) {
  const rows: Record<string, Record<string, number>> = {};
  const isLost: Record<Version, boolean> = { now: false, before: false };
  for (const count of STREAMS) {
    const row: Record<string, number> = {};
    for (const name of versionNames.filter((each) => !isLost[each])) {
      const timings = await Promise.all(
        Array.from({ length: count }, () => speakOn(versions[name], ofLength(STREAM_CHARACTERS))),
      );
      const ahead = timings.filter((one) => one.gapsMs === 0).length;
      isLost[name] = ahead < count / 2;
      row[`ahead, ${name}`] = ahead;
      row[`gaps ms (worst), ${name}`] = round(Math.max(...timings.map((one) => one.gapsMs)));
    }
    rows[`${count} streams`] = row;
  }
  console.table(rows);
  return rows;
}

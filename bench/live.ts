import { setTimeout as sleep } from "node:timers/promises";
import { type LiveConnection, Parlance } from "@parlance/client";
import { flushToFirstAudio, type LiveTiming, speakTokens, tokensOf } from "./live-client.ts";
import { startBenchServer } from "./server-handle.ts";
import { median, quantile, round } from "./statistics.ts";

const answer =
  "Sure, I can help with that. The museum opens at 9:30 in the morning, and tickets cost $12.50 for adults. " +
  "If you take the number 14 bus from the station, it is only a short walk across the square, past the old market hall. " +
  "Most people stay for about two hours, but the garden behind the house is worth another one when the weather is good. " +
  "Would you like me to reserve two tickets for tomorrow?";
const shortSentence = "Good morning, friend.";
/** A start in the same millisecond is the worst case, and rare. */
const scenarios = [
  { name: "1", sockets: 1, runs: 4, apartMs: 0 },
  { name: "4 at once", sockets: 4, runs: 2, apartMs: 0 },
  { name: "4, 300 ms apart", sockets: 4, runs: 2, apartMs: 300 },
  { name: "8 at once", sockets: 8, runs: 1, apartMs: 0 },
  { name: "8, 300 ms apart", sockets: 8, runs: 1, apartMs: 300 },
];
const manySockets = 1000;
/** All sockets speak once within this time, evenly spread. */
const spreadMs = 5000;
/** Rounds of one socket, one after the other. */
const alone = 500;

/** Measures voice agents (time from first token to first audio, gaps) and the cost of many sockets. */
export async function benchLive(): Promise<unknown> {
  console.log(`a language model writes ${tokensOf(answer).length} tokens, 20 a second, to each of some sockets`);
  const agents = await benchAgents();
  console.log(`\n${manySockets} sockets, tones instead of speech`);
  const many = await benchMany();
  return { agents, many };
}

async function benchAgents() {
  const server = await startBenchServer();
  const client = new Parlance({ baseUrl: server.url, apiKey: server.key });
  const rows: Record<string, Record<string, number>> = {};
  try {
    const warm = await client.live.connect();
    for (let run = 0; run < 3; run++) await flushToFirstAudio(warm, shortSentence);
    await warm.close();
    for (const { name, sockets, runs, apartMs } of scenarios) {
      rows[name] = await withSockets(client, sockets, async (all) => {
        const flushes: number[] = [];
        const timings: LiveTiming[] = [];
        for (let run = 0; run < 5; run++) {
          // These start at the same time, also where the texts start one after the other.
          flushes.push(...(await Promise.all(all.map((live) => flushToFirstAudio(live, shortSentence)))));
        }
        for (let run = 0; run < runs; run++) {
          const speak = async (live: LiveConnection, index: number) => {
            await sleep(index * apartMs);
            return speakTokens(live, tokensOf(answer));
          };
          timings.push(...(await Promise.all(all.map(speak))));
        }
        return {
          answers: timings.length,
          "without gaps": timings.filter((one) => one.gaps === 0).length,
          "first token to first audio ms (median)": round(median(timings.map((one) => one.firstAudioMs))),
          "(worst)": round(Math.max(...timings.map((one) => one.firstAudioMs))),
          gaps: timings.reduce((sum, one) => sum + one.gaps, 0),
          "gaps ms": round(timings.reduce((sum, one) => sum + one.gapsMs, 0)),
          "of audio s": round(timings.reduce((sum, one) => sum + one.audioSeconds, 0)),
          "flush to first audio ms (median)": round(median(flushes)),
          "flush (worst)": round(Math.max(...flushes)),
        };
      });
    }
  } finally {
    await server.close();
  }
  console.table(rows);
  return rows;
}

async function benchMany() {
  const server = await startBenchServer({ speech: "tone", concurrency: manySockets * 2, sockets: manySockets * 2 });
  const client = new Parlance({ baseUrl: server.url, apiKey: server.key });
  // Collects garbage, and waits until the system has reclaimed the free memory.
  const memory = async () => {
    await server.report();
    await sleep(500);
    return server.report();
  };
  const spread = (all: readonly LiveConnection[]) =>
    Promise.all(
      all.map(async (live, index) => {
        await sleep((index / all.length) * spreadMs);
        return flushToFirstAudio(live, shortSentence);
      }),
    );
  const latency: Record<string, Record<string, number>> = {};
  const cost: Record<string, Record<string, number>> = {};
  const record = (name: string, latencies: readonly number[]) => {
    latency[name] = { "p50 ms": round(quantile(latencies, 0.5), 1), "p99 ms": round(quantile(latencies, 0.99), 1) };
  };
  try {
    // Warm-up: code that the first sockets load is not a cost of later ones. Only a few, because the memory that they
    // leave free would hide the memory of the others.
    await withSockets(client, 10, spread);
    const before = await memory();
    const recordCost = async (when: string) => {
      const { rssMb, heapMb } = await memory();
      cost[when] = {
        "resident kB per socket": round(((rssMb - before.rssMb) * 1024) / manySockets, 1),
        "heap kB per socket": round(((heapMb - before.heapMb) * 1024) / manySockets, 1),
        "server MB": round(rssMb),
      };
    };
    await withSockets(client, manySockets, async (all) => {
      await recordCost("idle");
      record("one speaks, the others idle", await oneByOne(all.slice(0, 1), alone));
      record(`all speak once within ${spreadMs / 1000} s`, await spread(all));
      await recordCost("idle after a round each");
    });
    await withSockets(client, 1, async (all) => record("no other socket", await oneByOne(all, alone)));
  } finally {
    await server.close();
  }
  console.log("from flush to first audio; the tone takes no time");
  console.table(latency);
  console.table(cost);
  return { latency, cost };
}

async function oneByOne(all: readonly LiveConnection[], count: number): Promise<number[]> {
  const latencies: number[] = [];
  for (const live of all) {
    for (let run = 0; run < count; run++) latencies.push(await flushToFirstAudio(live, shortSentence));
  }
  return latencies;
}

async function withSockets<Result>(
  client: Parlance,
  count: number,
  use: (all: readonly LiveConnection[]) => Promise<Result>,
): Promise<Result> {
  const all: LiveConnection[] = [];
  try {
    while (all.length < count) {
      const some = Math.min(50, count - all.length);
      all.push(...(await Promise.all(Array.from({ length: some }, () => client.live.connect()))));
    }
    return await use(all);
  } finally {
    await Promise.all(all.map((live) => live.close()));
  }
}

import { setTimeout as sleep } from "node:timers/promises";
import { type LiveConnection, Parlance } from "@parlance/client";
import { flushToFirstAudio, type HeardLive, listenToTokens, tokensOf } from "./live-listener.ts";
import { startBenchServer } from "./server-handle.ts";
import { median, quantile, round } from "./statistics.ts";

const answer =
  "Sure, I can help with that. The museum opens at 9:30 in the morning, and tickets cost $12.50 for adults. " +
  "If you take the number 14 bus from the station, it is only a short walk across the square, past the old market hall. " +
  "Most people stay for about two hours, but the garden behind the house is worth another one when the weather is good. " +
  "Would you like me to reserve two tickets for tomorrow?";
const shortSentence = "Good morning, friend.";
const manySockets = 1000;
/** All of the many speak once within this time, each at its own moment. */
const spreadMs = 5000;

/** What a speaking agent needs: first audio soon after the first token, and no gaps; and what many sockets cost. */
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
    for (const [sockets, runs] of [
      [1, 4],
      [4, 2],
      [8, 2],
    ] as const) {
      rows[String(sockets)] = await withSockets(client, sockets, async (all) => {
        const flushes: number[] = [];
        const heard: HeardLive[] = [];
        for (let run = 0; run < 5; run++) {
          flushes.push(...(await Promise.all(all.map((live) => flushToFirstAudio(live, shortSentence)))));
        }
        for (let run = 0; run < runs; run++) {
          heard.push(...(await Promise.all(all.map((live) => listenToTokens(live, tokensOf(answer))))));
        }
        return {
          answers: heard.length,
          "first token to first audio ms (median)": round(median(heard.map((one) => one.firstAudioMs))),
          "(worst)": round(Math.max(...heard.map((one) => one.firstAudioMs))),
          gaps: heard.reduce((sum, one) => sum + one.gaps, 0),
          "gaps ms": round(heard.reduce((sum, one) => sum + one.gapsMs, 0)),
          "of audio s": round(heard.reduce((sum, one) => sum + one.audioSeconds, 0)),
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
  const server = await startBenchServer({ speech: "tone", concurrency: manySockets * 2 });
  const client = new Parlance({ baseUrl: server.url, apiKey: server.key });
  // Collects, and gives the system a moment to take back what is free.
  const memory = async () => {
    await server.report();
    await sleep(500);
    return (await server.report()).rssMb;
  };
  const spread = (all: readonly LiveConnection[]) =>
    Promise.all(
      all.map(async (live, index) => {
        await sleep((index / all.length) * spreadMs);
        return flushToFirstAudio(live, shortSentence);
      }),
    );
  const rows: Record<string, Record<string, number>> = {};
  const note = (name: string, latencies: readonly number[]) => {
    rows[name] = { p50: round(quantile(latencies, 0.5), 1), p99: round(quantile(latencies, 0.99), 1) };
  };
  try {
    // Whatever the server loads and compiles with its first sockets is not a cost of those that follow.
    await withSockets(client, 100, async (all) => {
      await spread(all);
      await spread(all);
    });
    await withSockets(client, 1, async (all) => note("alone: flush to first audio ms", await oneByOne(all, 300)));
    const before = await memory();
    await withSockets(client, manySockets, async (all) => {
      const idle = await memory();
      note("one of many: flush to first audio ms", await oneByOne(all.slice(0, 1), 300));
      note("all within 5 s: flush to first audio ms", await spread(all));
      const spoken = await memory();
      rows["server MB"] = { before: round(before), idle: round(idle), "after a round each": round(spoken) };
      const perSocket = (mb: number) => round(((mb - before) * 1024) / manySockets, 1);
      rows["kB per socket"] = { idle: perSocket(idle), "after a round each": perSocket(spoken) };
    });
  } finally {
    await server.close();
  }
  console.table(rows);
  return rows;
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

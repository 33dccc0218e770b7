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
/** That all begin in the same millisecond is the worst that can happen, and hardly ever does. */
const crowds = [
  { name: "1", sockets: 1, runs: 4, apartMs: 0 },
  { name: "4 at once", sockets: 4, runs: 2, apartMs: 0 },
  { name: "4, 300 ms apart", sockets: 4, runs: 2, apartMs: 300 },
  { name: "8 at once", sockets: 8, runs: 1, apartMs: 0 },
  { name: "8, 300 ms apart", sockets: 8, runs: 1, apartMs: 300 },
];
const manySockets = 1000;
/** All of the many speak once within this time, each at its own moment. */
const spreadMs = 5000;
/** Rounds of one socket, one after the other. */
const alone = 500;

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
    for (const { name, sockets, runs, apartMs } of crowds) {
      rows[name] = await withSockets(client, sockets, async (all) => {
        const flushes: number[] = [];
        const heard: HeardLive[] = [];
        for (let run = 0; run < 5; run++) {
          // These come at once also where the answers are set apart.
          flushes.push(...(await Promise.all(all.map((live) => flushToFirstAudio(live, shortSentence)))));
        }
        for (let run = 0; run < runs; run++) {
          const listen = async (live: LiveConnection, index: number) => {
            await sleep(index * apartMs);
            return listenToTokens(live, tokensOf(answer));
          };
          heard.push(...(await Promise.all(all.map(listen))));
        }
        return {
          answers: heard.length,
          "without gaps": heard.filter((one) => one.gaps === 0).length,
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
  const note = (name: string, latencies: readonly number[]) => {
    latency[name] = { "p50 ms": round(quantile(latencies, 0.5), 1), "p99 ms": round(quantile(latencies, 0.99), 1) };
  };
  try {
    // What the server loads and compiles with its first sockets is not a cost of those that follow. Only few of them:
    // what they leave behind in free memory would hide what the many take.
    await withSockets(client, 10, spread);
    const before = await memory();
    const noteCost = async (when: string) => {
      const { rssMb, heapMb } = await memory();
      cost[when] = {
        "resident kB per socket": round(((rssMb - before.rssMb) * 1024) / manySockets, 1),
        "heap kB per socket": round(((heapMb - before.heapMb) * 1024) / manySockets, 1),
        "server MB": round(rssMb),
      };
    };
    await withSockets(client, manySockets, async (all) => {
      await noteCost("idle");
      note("one speaks, the others idle", await oneByOne(all.slice(0, 1), alone));
      note(`all speak once within ${spreadMs / 1000} s`, await spread(all));
      await noteCost("idle after a round each");
    });
    await withSockets(client, 1, async (all) => note("no other socket", await oneByOne(all, alone)));
  } finally {
    await server.close();
  }
  console.log("from flush to first audio, which is all the server's own");
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

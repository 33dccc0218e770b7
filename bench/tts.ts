import { loadBareModel } from "./bare-model.ts";
import { ofLength } from "./sentences.ts";
import { startBenchServer } from "./server-handle.ts";
import { streamSpeech } from "./speech-client.ts";
import { median, round } from "./statistics.ts";

const texts: Readonly<Record<string, string>> = {
  "20": "Good morning, friend.",
  "160": ofLength(160),
  "1000": ofLength(1000),
};
const runs = 7;

/** Piper compared with the bare model: time to first audio, speed, streams that keep ahead of playback, event loop and memory, in one run. */
export async function benchTts(): Promise<unknown> {
  const server = await startBenchServer({ speech: "piper" });
  const bare = await loadBareModel();
  try {
    for (let warm = 0; warm < 3; warm++) {
      await streamSpeech(server.url, server.key, ofLength(160), "piper");
      await bare.speak(ofLength(160));
    }
    const lengths = await benchLengths(server, bare);
    console.log("\nstreams at once, each of ~400 characters");
    const concurrency = await benchConcurrency(server);
    console.log("\nmemory over 200 requests");
    const memory = await benchMemory(server);
    return { lengths, concurrency, memory };
  } finally {
    await bare.close();
    await server.close();
  }
}

type Server = Awaited<ReturnType<typeof startBenchServer>>;
type Bare = Awaited<ReturnType<typeof loadBareModel>>;

async function benchLengths(server: Server, bare: Bare) {
  const rows: Record<string, Record<string, number>> = {};
  for (const [name, text] of Object.entries(texts)) {
    const timings = [];
    const whole = [];
    for (let run = 0; run < runs; run++) {
      timings.push(await streamSpeech(server.url, server.key, text, "piper"));
      whole.push(await bare.speak(text));
    }
    const first = median(timings.map((one) => one.firstAudioMs));
    const bareFirst = median(whole.map((one) => one.firstAudioMs));
    rows[`${name} characters`] = {
      "first audio ms": round(first),
      "bare model ms": round(bareFirst),
      ratio: round(first / bareFirst, 2),
      RTF: round(median(timings.map((one) => one.totalMs / 1000 / one.audioSeconds)), 3),
      "bare RTF": round(median(whole.map((one) => one.totalMs / 1000 / one.audioSeconds)), 3),
    };
  }
  console.table(rows);
  return rows;
}

async function benchConcurrency(server: Server) {
  const rows: Record<string, Record<string, number>> = {};
  for (const streams of [1, 2, 4, 8]) {
    await server.reset();
    const timings = await Promise.all(
      Array.from({ length: streams }, () => streamSpeech(server.url, server.key, ofLength(400), "piper")),
    );
    const { eventLoopP99Ms, eventLoopMaxMs } = await server.report();
    rows[String(streams)] = {
      "ahead of playback": timings.filter((one) => one.gapsMs === 0).length,
      "first audio ms (median)": round(median(timings.map((one) => one.firstAudioMs))),
      "first audio ms (worst)": round(Math.max(...timings.map((one) => one.firstAudioMs))),
      "gaps ms (worst)": round(Math.max(...timings.map((one) => one.gapsMs))),
      "event loop p99 ms": round(eventLoopP99Ms, 1),
      "event loop max ms": round(eventLoopMaxMs, 1),
    };
  }
  console.table(rows);
  return rows;
}

async function benchMemory(server: Server) {
  const rows: Record<string, Record<string, number>> = {};
  const record = async (when: string) => {
    const { rssMb, workersRssMb } = await server.report();
    rows[when] = { "server MB": round(rssMb), "workers MB": round(workersRssMb) };
  };
  const requests = async (count: number) => {
    for (let done = 0; done < count; done += 4) {
      await Promise.all(Array.from({ length: 4 }, () => streamSpeech(server.url, server.key, ofLength(60), "piper")));
    }
  };
  await requests(40);
  await record("after a warm-up of 40");
  await requests(200);
  await record("after 200 more");
  console.table(rows);
  return rows;
}

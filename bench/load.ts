import os from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type Outcome, requestSpeech } from "./load/client.ts";
import { createRandom, type Load, randomText, runLoad } from "./load/traffic.ts";
import { startBenchServer } from "./server-handle.ts";
import { makeRecording } from "./soak/recording.ts";
import { median, quantile, round } from "./statistics.ts";

type Server = Awaited<ReturnType<typeof startBenchServer>>;
type Spoken = Extract<Outcome, { is: "spoken" }>;

const idleRuns = 40;
/** The share of refused requests that is retried once, after the time in the response. */
const retryShare = 0.2;

/**
 * Overload: more requests than the machine can serve. Accepted ones should have no gaps and start almost as soon as on an
 * idle machine; the others should be refused with a retry time that holds.
 */
export async function benchLoad(options: readonly string[] = []): Promise<unknown> {
  const { values } = parseArgs({
    args: [...options],
    options: {
      seconds: { type: "string", default: "25" },
      times: { type: "string", default: "0.5,1,2,3" },
      seed: { type: "string", default: "1" },
    },
  });
  const phaseSeconds = Number(values.seconds);
  const server = await startBenchServer({ speech: "all", concurrency: 10_000 });
  const random = createRandom(Number(values.seed));
  try {
    for (let warm = 0; warm < 4; warm++) await requestSpeech(server, randomText(random));
    const idle: Spoken[] = [];
    for (let run = 0; run < idleRuns; run++) idle.push(spokenOf(await requestSpeech(server, randomText(random))));
    const first = { p50: median(idle.map(firstAudio)), p99: quantile(idle.map(firstAudio), 0.99) };
    const meanSeconds = idle.reduce((sum, one) => sum + one.audioSeconds, 0) / idle.length;
    const capacity = await measureCapacity(server, random);
    const about = {
      "first audio idle, median ms": round(first.p50),
      "first audio idle, p99 ms": round(first.p99),
      "audio of one request s": round(meanSeconds, 1),
      "audio per second s": round(capacity, 1),
      "server MB": round((await server.report()).rssMb),
    };
    console.table(about);
    const rows: Record<string, Record<string, number>> = {};
    for (const times of values.times.split(",").map(Number)) {
      await sleep(1000);
      const perSecond = (times * capacity) / meanSeconds;
      const watch = await watchMachine(server);
      const load = await runLoad(server, { perSecond, seconds: phaseSeconds, random, retryShare });
      rows[`${times} ×`] = {
        "requests a second": round(perSecond, 1),
        ...metricsOf(load, first),
        ...(await watch()),
      };
    }
    const withTranscriptions = await whileTranscribing(server, async () => {
      const watch = await watchMachine(server);
      const perSecond = capacity / meanSeconds;
      const load = await runLoad(server, { perSecond, seconds: phaseSeconds, random, retryShare });
      return { "requests a second": round(perSecond, 1), ...metricsOf(load, first), ...(await watch()) };
    });
    rows["1 × and two transcriptions"] = withTranscriptions;
    console.log("load, as a multiple of the capacity");
    console.table(rows);
    return { about, rows };
  } finally {
    await server.close();
  }
}

/** Runs the work while two clients transcribe recordings without pause. */
async function whileTranscribing<Result>(server: Server, work: () => Promise<Result>): Promise<Result> {
  const recording = await makeRecording(server);
  let over = false;
  const transcribe = async (): Promise<void> => {
    while (!over) {
      const body = new FormData();
      body.set("audio", new Blob([recording.wav]), "recording.wav");
      const headers = { authorization: `Bearer ${server.key}` };
      await (await fetch(`${server.url}/v1/asr`, { method: "POST", headers, body })).arrayBuffer();
    }
  };
  const transcribing = [transcribe(), transcribe()];
  try {
    return await work();
  } finally {
    over = true;
    await Promise.all(transcribing);
  }
}

/** Seconds of audio per second when all workers are busy: the number of streams in real time. */
async function measureCapacity(server: Server, random: () => number): Promise<number> {
  const until = performance.now() + 8000;
  const start = performance.now();
  let audio = 0;
  const busy = Array.from({ length: 4 }, async () => {
    while (performance.now() < until) {
      const outcome = await requestSpeech(server, `${randomText(random)} ${randomText(random)} ${randomText(random)}`);
      if (outcome.is === "spoken") audio += outcome.audioSeconds;
      else await sleep(50);
    }
  });
  await Promise.all(busy);
  return (audio * 1000) / (performance.now() - start);
}

function metricsOf({ outcomes, retried }: Load, idle: { p50: number; p99: number }): Record<string, number> {
  const all = [...outcomes, ...retried];
  const spoken = all.filter((one) => one.is === "spoken");
  const refused = all.filter((one) => one.is === "refused");
  const p50 = median(spoken.map(firstAudio));
  const p99 = quantile(spoken.map(firstAudio), 0.99);
  return {
    accepted: spoken.length,
    refused: refused.length,
    failed: all.length - spoken.length - refused.length,
    "with gaps": spoken.filter(({ gaps }) => gaps > 0).length,
    "worst gaps ms": round(Math.max(0, ...spoken.map(({ gapsMs }) => gapsMs))),
    "first audio p50 ms": round(p50),
    "× idle": round(p50 / idle.p50, 2),
    "p99 ms": round(p99),
    "p99 × idle": round(p99 / idle.p99, 2),
    "retry after s (median)": round(median(refused.map(({ retryAfter }) => retryAfter)), 1),
    retried: retried.length,
    "retries accepted": retried.filter((one) => one.is === "spoken").length,
  };
}

/** Load of the server, and of other processes, which reduce its capacity. */
async function watchMachine(server: Server) {
  await server.reset();
  const busySeconds = () => os.cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys, 0) / 1000;
  const own = async () => (await server.report()).cpuSeconds + process.cpuUsage().user / 1e6;
  const [start, busy, ours] = [performance.now(), busySeconds(), await own()];
  return async () => {
    const { rssMb, eventLoopP99Ms } = await server.report();
    const others = busySeconds() - busy - ((await own()) - ours);
    const cores = (others * 1000) / (performance.now() - start);
    return {
      "server MB": round(rssMb),
      "event loop p99 ms": round(eventLoopP99Ms, 1),
      "cores in use by others": round(cores, 1),
    };
  };
}

const firstAudio = ({ firstAudioMs }: Spoken): number => firstAudioMs;

function spokenOf(outcome: Outcome): Spoken {
  if (outcome.is === "spoken") return outcome;
  throw new Error(
    `on an idle machine a request was ${outcome.is}${outcome.is === "failed" ? `: ${outcome.reason}` : ""}`,
  );
}

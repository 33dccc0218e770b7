import { fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTranscription, type ModelStore, type RecognizerName, type Transcription } from "@parlance/speech";
import { moonshine } from "../packages/speech/src/engines/moonshine/descriptor.ts";
import { loadMoonshine } from "../packages/speech/src/engines/moonshine/moonshine.ts";
import { wordErrors } from "../packages/speech/src/testing/word-errors.ts";
import { benchAsrHttp } from "./asr-http.ts";
import { loadRecordings, type Recording, sampleRate, writeLong } from "./asr-recordings.ts";
import { measureProcesses } from "./process-usage.ts";
import { round } from "./statistics.ts";

const never = new AbortController().signal;
const rounds = 3;
const LONG_SECONDS = Number(process.env.BENCH_ASR_MINUTES ?? 60) * 60;

/** Speed and errors of speech to text: per engine, several at once, and a long recording with memory and stalls. */
export async function benchAsr(): Promise<unknown> {
  const { models, recordings } = await loadRecordings();
  const folder = mkdtempSync(join(tmpdir(), "parlance-bench-"));
  try {
    console.log("real recordings, one after the other; wall and processor time per second of audio");
    const engines = await benchEngines(models, recordings);
    console.log("\nrecordings of 30 s, several at once");
    const concurrency = await benchConcurrency(models, recordings, folder);
    console.log("\na recording of 30 s: what the server adds");
    const http = await benchServer(models, recordings, folder);
    console.log(`\none recording of ${LONG_SECONDS / 60} minutes`);
    const long = await benchLong(recordings, folder);
    return { engines, concurrency, http, long };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const secondsOf = (recordings: readonly Recording[]) =>
  recordings.reduce((sum, { samples }) => sum + samples.length / sampleRate, 0);

async function benchEngines(models: ModelStore, recordings: readonly Recording[]) {
  const audio = secondsOf(recordings) * rounds;
  const rows: Record<string, Record<string, number>> = {};
  rows["moonshine, bare model on 2 threads"] = await bareMoonshine(models, recordings);
  const ways: [string, { engine?: RecognizerName; language?: string }, "base" | "small" | "tiny"][] = [
    ["default, language detected", {}, "base"],
    ["moonshine, English given", { language: "en" }, "base"],
    ["whisper base, language detected", { engine: "whisper" }, "base"],
  ];
  for (const size of ["tiny", "small"] as const) {
    if (await models.has(`whisper-${size}`))
      ways.push([`whisper ${size}, language detected`, { engine: "whisper" }, size]);
  }
  for (const [name, how, size] of ways) {
    const transcription = await createTranscription({ models, size });
    await errorShare(transcription, recordings, how);
    const measuring = measureProcesses(process.pid);
    const start = performance.now();
    let wrong = 0;
    for (let run = 0; run < rounds; run++) wrong = await errorShare(transcription, recordings, how);
    const wall = (performance.now() - start) / 1000;
    const { cpuSeconds } = measuring.end();
    await transcription.close();
    rows[name] = {
      RTF: round(wall / audio, 3),
      "CPU RTF": round(cpuSeconds / audio, 3),
      "WER %": round(wrong * 100, 1),
    };
  }
  console.table(rows);
  return rows;
}

/** The share of wrong words. */
async function errorShare(
  transcription: Transcription,
  recordings: readonly Recording[],
  how: { engine?: RecognizerName; language?: string },
): Promise<number> {
  let errors = 0;
  let words = 0;
  for (const { path, text } of recordings) {
    const transcript = await transcription.transcribe({ path, granularity: "segment", ...how }, never);
    const result = wordErrors(text, transcript.text);
    errors += result.errors;
    words += result.words;
  }
  return errors / words;
}

async function bareMoonshine(models: ModelStore, recordings: readonly Recording[]) {
  const recognizer = await loadMoonshine(moonshine.locate(models, "base"), 2);
  let errors = 0;
  let words = 0;
  for (const { samples } of recordings) await recognizer.transcribe(samples, never);
  const start = performance.now();
  const cpu = process.cpuUsage();
  for (const { samples, text } of recordings) {
    const result = wordErrors(text, (await recognizer.transcribe(samples, never)).text);
    errors += result.errors;
    words += result.words;
  }
  const { user, system } = process.cpuUsage(cpu);
  const audio = secondsOf(recordings);
  const wall = (performance.now() - start) / 1000;
  await recognizer.close();
  return {
    RTF: round(wall / audio, 3),
    "CPU RTF": round((user + system) / 1e6 / audio, 3),
    "WER %": round((errors / words) * 100, 1),
  };
}

async function benchConcurrency(models: ModelStore, recordings: readonly Recording[], folder: string) {
  const path = join(folder, "half-minute.wav");
  const { seconds } = writeLong(path, recordings, 30);
  const rows: Record<string, Record<string, number>> = {};
  for (const workers of [1, 2]) {
    const transcription = await createTranscription({ models, workers });
    const one = () => transcription.transcribe({ path, granularity: "segment", language: "en" }, never);
    await Promise.all(Array.from({ length: workers }, one));
    for (const atOnce of [1, 2, 4]) {
      const start = performance.now();
      await Promise.all(Array.from({ length: atOnce }, one));
      const wall = (performance.now() - start) / 1000;
      rows[`${atOnce} at once, ${workers} worker${workers > 1 ? "s" : ""}`] = {
        "seconds until all are done": round(wall, 2),
        "RTF, all together": round(wall / (seconds * atOnce), 3),
      };
    }
    await transcription.close();
  }
  console.table(rows);
  return rows;
}

async function benchServer(models: ModelStore, recordings: readonly Recording[], folder: string) {
  const path = join(folder, "half-minute.wav");
  const { seconds } = writeLong(path, recordings, 30);
  const bare = await bareMoonshine(models, recordings);
  const metrics = await benchAsrHttp(models, path, bare.RTF * seconds * 1000);
  console.table({ "30 s": metrics });
  return metrics;
}

async function benchLong(recordings: readonly Recording[], folder: string) {
  const path = join(folder, "long.wav");
  const { seconds, text } = writeLong(path, recordings, LONG_SECONDS);
  const host = fork(new URL("./asr-host.ts", import.meta.url), [path]);
  const measuring = measureProcesses(host.pid ?? 0);
  const report = await new Promise<HostReport>((resolve, reject) => {
    host.once("message", (message) => resolve(message as HostReport));
    host.once("exit", () => reject(new Error("the process that transcribes ended")));
  });
  const usage = measuring.end();
  const metrics = {
    "wall s": round(report.wallSeconds, 1),
    RTF: round(report.wallSeconds / seconds, 3),
    "CPU RTF": round(usage.cpuSeconds / seconds, 3),
    "peak RSS MB, all processes": round(usage.peakRssMb),
    "peak RSS MB, host": round(usage.peakOwnRssMb),
    "longest stall ms": round(report.longestStallMs, 1),
    words: report.words,
    "WER %": round(errorRate(text, report.text) * 100, 1),
  };
  console.table({ [`${round(seconds / 60)} minutes`]: metrics });
  return metrics;
}

/** What `asr-host.ts` sends. */
interface HostReport {
  readonly wallSeconds: number;
  readonly longestStallMs: number;
  readonly words: number;
  readonly text: string;
}

/** The comparison needs memory proportional to the square of the length, so only the beginning is compared. */
const MAX_COMPARED_WORDS = 1500;

function errorRate(expected: string, actual: string): number {
  const beginning = (text: string) =>
    text
      .trim()
      .split(/[\s-]+/)
      .slice(0, MAX_COMPARED_WORDS)
      .join(" ");
  const { errors, words } = wordErrors(beginning(expected), beginning(actual));
  return errors / words;
}

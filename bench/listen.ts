/**
 * npm run bench -- listen [--recordings FOLDER] [--files N] [--streams N] [--sounds SECONDS] [--show] [--offline [--slower N] [--keep FILE]]:
 * recordings are played in at the pace of speech over WS /v1/asr/live, and compared with POST /v1/asr on the same audio. Without a folder, the recordings
 * of the tests are used. A text beside a recording (NAME.txt) is what was said in it. Then sounds without speech are played in, ten minutes of them by default. --show prints the texts, the false
 * ends of turns and the words that changed. --offline plays to a listener in this process, faster than at the pace of speech, and
 * --slower FACTOR makes its decodings take longer, as they do beside other streams. --keep FILE keeps what is recognized: the next
 * run computes only what differs, so that rules for the ends of turns and for the words that are shown are tried in seconds.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { ApiError, Parlance, type Transcript } from "@parlance/client";
import { createLog, readConfig, startServer } from "@parlance/server";
import { createTranscription } from "@parlance/speech";
import { createToneSpeech } from "../packages/server/src/testing/tone-speech.ts";
import { decodeAudio } from "../packages/speech/src/testing/decode-audio.ts";
import { wordErrors } from "../packages/speech/src/testing/word-errors.ts";
import { loadRecordings } from "./asr-recordings.ts";
import { keepResults } from "./listen/kept-results.ts";
import { createOfflinePlayer } from "./listen/offline.ts";
import { type Played, play, type Recorded } from "./listen/play.ts";
import { measureSounds } from "./listen/sounds.ts";
import { measureProcesses } from "./process-usage.ts";
import { median, quantile, round } from "./statistics.ts";

const SILENCE_SECONDS = 2;
const MIN_PAUSE_SECONDS = 0.16;
const STREAM_COUNTS = [1, 2, 4];

interface Source extends Recorded {
  readonly path: string;
  /** What was said, where it is known. */
  readonly text: string | undefined;
}

export async function benchListen(options: readonly string[]) {
  const option = (name: string): string | undefined => options[options.indexOf(`--${name}`) + 1 || options.length];
  const { models, recordings } = await loadRecordings();
  const folder = option("recordings");
  const paths = folder === undefined ? recordings.map(({ path }) => path) : filesBelow(folder);
  const sources = paths.slice(0, Number(option("files") ?? paths.length)).map((path) => ({
    path,
    text: recordings.find((known) => known.path === path)?.text ?? textBeside(path),
    ...withSilence(decodeAudio(readFileSync(path))),
  }));
  const data = mkdtempSync(join(tmpdir(), "parlance-bench-"));
  const { config } = readConfig({ PARLANCE_DATA: data, PARLANCE_PORT: "0", PARLANCE_REQUESTS_PER_MINUTE: "0" });
  const transcription = await createTranscription({ models });
  const server = await startServer({ config, speech: createToneSpeech(), transcription, log: createLog("silent") });
  const client = new Parlance({ baseUrl: server.url, apiKey: server.bootstrap.freshKey });
  try {
    const keepIn = option("keep");
    const kept = keepIn === undefined ? undefined : keepResults(keepIn);
    const batch = new Map<string, Transcript>();
    for (const { path } of sources) {
      const audio = new Uint8Array(readFileSync(path));
      const transcribe = (): Promise<Transcript> =>
        client.asr.transcribe(new Blob([audio]), { language: "en", granularity: "word" });
      batch.set(path, await (kept ? kept.get({ transcript: audio }, transcribe) : transcribe()));
    }
    const counts = option("streams") === undefined ? STREAM_COUNTS : [Number(option("streams"))];
    const figures = [];
    const offline = options.includes("--offline")
      ? await createOfflinePlayer(models, Number(option("slower") ?? 1), kept)
      : undefined;
    const playSource = offline ?? ((source: Recorded, language: string) => play(client, source, language));
    // The workers load their models for the first stream. What a stream costs does not include that.
    const [shortest] = sources.toSorted((a, b) => a.samples.length - b.samples.length);
    if (shortest) await playSource(shortest, "en");
    for (const streams of offline ? [1] : counts) {
      const { table, details } = await measure(playSource, sources, batch, streams);
      figures.push(table);
      if (options.includes("--show")) console.log(details.join("\n"));
    }
    console.table(figures);
    kept?.save();
    const soundSeconds = Number(option("sounds") ?? 600);
    return { speech: figures, sounds: soundSeconds > 0 ? await measureSounds(transcription, soundSeconds) : undefined };
  } finally {
    await server.close();
    await transcription.close();
    rmSync(data, { recursive: true });
  }
}

async function measure(
  playSource: (source: Recorded, language: string) => Promise<Played>,
  sources: readonly Source[],
  batch: ReadonlyMap<string, Transcript>,
  streams: number,
) {
  const usage = measureProcesses(process.pid);
  const waiting = [...sources];
  let refused = 0;
  const done: { readonly source: Source; readonly played: Played }[] = [];
  await Promise.all(
    Array.from({ length: streams }, async () => {
      for (let source = waiting.shift(); source; source = waiting.shift()) {
        const played = await playSource(source, "en").catch(unlessRefused);
        if (played) done.push({ source, played });
        else refused++;
      }
    }),
  );
  const { cpuSeconds, peakRssMb } = usage.end();
  const all = <K extends keyof Played>(key: K): Played[K][] => done.map(({ played }) => played[key]);
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  const against = (
    expected: (source: Source) => string | undefined,
    actual: (each: (typeof done)[number]) => string,
  ) => {
    const counted = done.flatMap((each) => {
      const text = expected(each.source);
      return text === undefined ? [] : [wordErrors(text, actual(each))];
    });
    return round((100 * sum(counted.map(({ errors }) => errors))) / sum(counted.map(({ words }) => words)), 1);
  };
  const batchText = ({ path }: Source): string => batch.get(path)?.text ?? "";
  const pauses = done.map(({ source, played }) => pausesInside(batch.get(source.path), played.turnEnds));
  const seconds = sum(all("seconds"));
  const details = [
    ...done.flatMap(({ source, played }) => [
      `${basename(source.path)}, live: ${played.segments.join(" | ")}`,
      `${basename(source.path)}, asr: ${batchText(source)}`,
    ]),
    ...pauses.flatMap(({ ended }) => ended.map((pause) => `a turn ended in: ${pause}`)),
    ...all("changes")
      .flat()
      .map(({ shown, later }) => `${shown} became ${later}`),
  ];
  const count = sum(pauses.map((each) => each.count));
  const table = {
    streams,
    "refused streams": refused,
    "audio s": round(seconds),
    "WER %, live": against(
      ({ text }) => text,
      ({ played }) => played.text,
    ),
    "WER %, /v1/asr": against(
      ({ text }) => text,
      ({ source }) => batchText(source),
    ),
    "words unlike /v1/asr, %": against(batchText, ({ played }) => played.text),
    "word after s, median": round(median(all("wordDelays").flat()), 2),
    "word after s, p90": round(quantile(all("wordDelays").flat(), 0.9), 2),
    "final after s, median": round(median(all("finalDelays").flat()), 2),
    "final after s, p90": round(quantile(all("finalDelays").flat(), 0.9), 2),
    "words changed %": round((100 * all("changes").flat().length) / sum(all("shownWords")), 1),
    "pauses in sentences": count,
    "false ends %": round((100 * sum(pauses.map(({ ended }) => ended.length))) / count, 1),
    "CPU of a core, each stream": round(cpuSeconds / seconds, 2),
    "behind at the end s": round(Math.max(...all("behindSeconds")), 1),
    "memory MB": round(peakRssMb),
  };
  return { table, details };
}

/** A machine that cannot follow more streams refuses them. */
function unlessRefused(error: unknown): undefined {
  if (!(error instanceof ApiError && error.code === "overloaded")) throw error;
}

/** Pauses after a word that ends no sentence, by the words of the whole recording, and the turns that ended in them. */
function pausesInside(transcript: Transcript | undefined, turnEnds: readonly number[]) {
  const words = transcript?.segments ?? [];
  const inside = words.flatMap(({ text, end }, index) => {
    const next = words[index + 1];
    return next !== undefined && next.start - end >= MIN_PAUSE_SECONDS && !/[.!?]["']*$/.test(text)
      ? [{ from: end, to: next.start, text: `${text} (${round(next.start - end, 2)} s) ${next.text}` }]
      : [];
  });
  const ended = inside.filter(({ from, to }) => turnEnds.some((at) => at > from - 0.2 && at < to));
  return { count: inside.length, ended: ended.map((pause) => pause.text) };
}

function withSilence({
  samples,
  sampleRate,
}: {
  readonly samples: Float32Array;
  readonly sampleRate: number;
}): Recorded {
  const result = new Int16Array(samples.length + SILENCE_SECONDS * sampleRate);
  samples.forEach((sample, index) => {
    result[index] = Math.round(sample * 32_767);
  });
  return { samples: result, sampleRate };
}

function textBeside(path: string): string | undefined {
  const beside = path.replace(/\.\w+$/, ".txt");
  return existsSync(beside) ? readFileSync(beside, "utf8").trim() : undefined;
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(?:flac|wav|mp3|ogg|opus)$/i.test(name))
    .sort()
    .map((name) => join(folder, name));
}

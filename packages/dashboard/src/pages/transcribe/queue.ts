import { newTrace, type Transcript } from "@parlance/client";
import { type DecodedRecording, decodeRecording } from "../../audio/decode.ts";
import { client } from "../../lib/server.ts";
import { createStore } from "../../lib/store.ts";
import { historyText, keepTranscript } from "./keep-transcript.ts";
import type { EditedTranscript } from "./transcript-editor.tsx";

export interface TranscribeOptions {
  /** A code such as "en", or "" to detect it. */
  readonly language: string;
  readonly granularity: "word" | "segment";
  /** Speaker diarization: on or off, or the number of speakers. */
  readonly speakers: boolean | number;
}

/** A recording in the queue, and its transcript. */
export interface TranscribeJob {
  readonly id: number;
  readonly file: File;
  readonly options: TranscribeOptions;
  readonly state: "waiting" | "running" | "done" | "failed" | "cancelled";
  /** The transcribed share, 0 to 1. It stays 0 for a recording that is sent in one part. */
  readonly progress: number;
  readonly startedAt?: number;
  /** Why the server has not started yet: it is busy, or fetches its models. */
  readonly waitReason?: string | undefined;
  readonly error?: unknown;
  readonly result?: Transcript;
  readonly traceId?: string | undefined;
  /** The entry of the history that keeps it. */
  readonly entryId?: string | undefined;
  /** Why the transcript is not in the history. */
  readonly keepError?: unknown;
}

interface QueueState {
  readonly jobs: readonly TranscribeJob[];
  /** The job whose transcript is shown. */
  readonly shown: number | undefined;
}

export const MAX_JOBS = 50;
/** The length of a part: short enough for the progress to move. */
const PART_SECONDS = 30;
/** Speakers are distinguished more reliably in longer parts. */
const SPEAKERS_PART_SECONDS = 600;
/** Larger files would take too much memory to decode for the progress alone. */
const MAX_DECODED_BYTES = 30_000_000;
/** These are sent in one part anyway. */
const MIN_DECODED_BYTES = 512 * 1024;

let nextId = 1;
let running: { readonly id: number; readonly controller: AbortController } | undefined;
const store = createStore<QueueState>({ jobs: [], shown: undefined }, () => running?.controller.abort());

export const useQueue = () => store.use();

export function addRecordings(files: readonly File[], options: TranscribeOptions): void {
  const { jobs } = store.get();
  const added = files.slice(0, MAX_JOBS - jobs.length).map((file): TranscribeJob => {
    return { id: nextId++, file, options, state: "waiting", progress: 0 };
  });
  store.set({ jobs: [...jobs, ...added] });
  void runNext();
}

export function cancelJob(id: number): void {
  if (running?.id === id) running.controller.abort();
  else if (find(id)?.state === "waiting") change(id, { state: "cancelled" });
}

export function retryJob(id: number): void {
  change(id, { state: "waiting", progress: 0, error: undefined });
  void runNext();
}

export function removeJob(id: number): void {
  cancelJob(id);
  const { jobs, shown } = store.get();
  store.set({ jobs: jobs.filter((job) => job.id !== id), shown: shown === id ? undefined : shown });
}

export const showJob = (id: number): void => store.set({ shown: id });

function find(id: number): TranscribeJob | undefined {
  return store.get().jobs.find((job) => job.id === id);
}

function change(id: number, what: Partial<TranscribeJob>): void {
  store.set({ jobs: store.get().jobs.map((job) => (job.id === id ? { ...job, ...what } : job)) });
}

/** One recording at a time: its parts already keep the account's slots busy. */
async function runNext(): Promise<void> {
  const job = store.get().jobs.find(({ state }) => state === "waiting");
  if (job === undefined || running !== undefined) return;
  const controller = new AbortController();
  running = { id: job.id, controller };
  change(job.id, { state: "running", startedAt: performance.now(), waitReason: undefined });
  try {
    const { traceId, result } = await transcribe(job, controller.signal);
    change(job.id, { state: "done", result, traceId, waitReason: undefined });
    store.set({ shown: job.id });
    await keep(job.id, job.file, result, traceId);
  } catch (error) {
    if (controller.signal.aborted) change(job.id, { state: "cancelled", waitReason: undefined });
    else change(job.id, { state: "failed", error, waitReason: undefined });
  } finally {
    running = undefined;
    void runNext();
  }
}

async function keep(id: number, file: File, result: Transcript, traceId: string): Promise<void> {
  try {
    change(id, { entryId: await keepTranscript(file, result, traceId) });
  } catch (keepError) {
    change(id, { keepError });
  }
}

/** Adds a recording whose transcript is known already, and shows it. */
export function addFinished(file: File, result: Transcript, traceId: string | undefined): void {
  const options = { language: result.language ?? "", granularity: "word", speakers: false } as const;
  const job: TranscribeJob = { id: nextId++, file, options, state: "done", progress: 1, result, traceId };
  const { jobs } = store.get();
  store.set({ jobs: [...jobs.slice(Math.max(0, jobs.length + 1 - MAX_JOBS)), job], shown: job.id });
  void keep(job.id, file, result, traceId ?? "");
}

/** Changes a transcript, here and in the history. */
export async function editJob(id: number, { text, words }: EditedTranscript, signal: AbortSignal): Promise<void> {
  const job = find(id);
  if (job?.result === undefined) return;
  if (job.entryId !== undefined) await client.history.update(job.entryId, historyText({ text, words }), { signal });
  change(id, { result: { ...job.result, text, segments: words } });
}

async function transcribe({ id, file, options }: TranscribeJob, signal: AbortSignal) {
  // A long recording is sent in parts that share one trace.
  const { traceId, traceparent } = newTrace();
  const decodable = file.size > MIN_DECODED_BYTES && file.size <= MAX_DECODED_BYTES;
  const decoded = decodable ? await decodeRecording(file).catch(() => undefined) : undefined;
  const result = await client.asr.long(file, {
    traceparent,
    partSeconds: options.speakers === false ? PART_SECONDS : SPEAKERS_PART_SECONDS,
    speakers: options.speakers,
    granularity: options.granularity,
    ...(options.language === "" ? {} : { language: options.language }),
    ...(decoded === undefined ? {} : { decode: async () => toPcm(decoded) }),
    onProgress: ({ seconds, total }) => change(id, { progress: total ? seconds / total : 0, waitReason: undefined }),
    onRetry: (reason) => change(id, { waitReason: reason.message }),
    signal,
  });
  return { traceId, result };
}

function toPcm({ samples, sampleRate }: DecodedRecording) {
  async function* pieces() {
    yield samples;
  }
  return { sampleRate, seconds: samples.length / sampleRate, samples: pieces() };
}

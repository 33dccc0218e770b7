import { rm } from "node:fs/promises";
import { SpeechError } from "../../speech.ts";
import { AudioError } from "../../transcript.ts";
import type { DecodedAudio } from "./decode-file.ts";
import { type DecoderAnswer, type DecoderProcess, startDecoderProcess } from "./decoder-process.ts";
import type { DecodeJob } from "./messages.ts";
import { createSlots } from "./slots.ts";

export interface DecodeOptions {
  /** Of the samples that are written. */
  readonly sampleRate: number;
  /** Exactly as long passes. */
  readonly minSeconds?: number;
  readonly maxSeconds?: number;
  /** From when its turn has come. */
  readonly timeoutMs?: number;
  /** What the process that decodes may hold, itself (some 100 MB) included. */
  readonly memoryMb?: number;
}

export interface Decoder {
  /**
   * Decodes the file at `source`, of whatever format its bytes are, into mono samples (16 bits, little end first) at
   * `target`. In a process of its own; when it fails, `target` is removed. Throws `AudioError`, and `SpeechError`
   * when the queue is full or the decoder closed.
   */
  decode(source: string, target: string, options: DecodeOptions, signal: AbortSignal): Promise<DecodedAudio>;
  /** The processes that decode or are ready to. */
  processes(): readonly { readonly pid: number }[];
  /** Ends the processes, and what they are at. */
  close(): Promise<void>;
}

export interface DecoderOptions {
  /** Files decoded at a time; each process is kept for the next file. */
  readonly processes?: number;
  /** Files that may wait for that. */
  readonly queue?: number;
}

const DEFAULT_MAX_SECONDS = 12 * 3600;
/** An hour takes some 10 s; on a machine that is busy speaking, several times that. */
const DEFAULT_TIMEOUT_MS = 300_000;
const DEFAULT_MEMORY_MB = 512;
const START_TIMEOUT_MS = 30_000;
/** What leaks, if anything does, leaks no further. */
const FILES_PER_PROCESS = 100;
const WORN_RSS_MB = 256;

interface Attempt {
  /** Undefined when it took too long or was not wanted any more. */
  readonly answer: DecoderAnswer | undefined;
  /** How many the process was given, this one included. */
  readonly files: number;
}

const NOT_STARTED = { type: "ended", signal: null, ready: false } as const;

export function createDecoder({ processes = 2, queue = 64 }: DecoderOptions = {}): Decoder {
  const slots = createSlots(processes, queue);
  const idle: DecoderProcess[] = [];
  const living = new Set<DecoderProcess>();
  const closing = new AbortController();

  function start(): DecoderProcess {
    const process = startDecoderProcess();
    living.add(process);
    return process;
  }

  async function end(process: DecoderProcess): Promise<void> {
    await process.kill();
    living.delete(process);
  }

  /** The next file should not wait for a process to start. */
  function keepOneWarm(): void {
    if (living.size === 0 && !closing.signal.aborted) idle.push(start());
  }

  /** One that was ended from outside while it did nothing is no file's fault. */
  function anyProcess(): DecoderProcess {
    for (let process = idle.pop(); process; process = idle.pop()) {
      if (process.alive) return process;
      living.delete(process);
    }
    return start();
  }

  async function attempt(job: DecodeJob, timeoutMs: number, stop: AbortSignal): Promise<Attempt> {
    const process = anyProcess();
    const started = await within(START_TIMEOUT_MS, process.started, stop);
    const answer = started ? await within(timeoutMs, process.decode(job), stop) : NOT_STARTED;
    const whole = answer?.type === "decoded" || answer?.type === "refused";
    const worn = !whole || answer.rssMb > WORN_RSS_MB || process.files >= FILES_PER_PROCESS;
    if (worn || stop.aborted) await end(process);
    else idle.push(process);
    if (started) keepOneWarm();
    return { answer, files: process.files };
  }

  async function decode(source: string, target: string, options: DecodeOptions, signal: AbortSignal) {
    const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const stop = AbortSignal.any([signal, closing.signal]);
    const job = {
      source,
      target,
      limits: {
        sampleRate: options.sampleRate,
        minSeconds: options.minSeconds ?? 0,
        maxSeconds: options.maxSeconds ?? DEFAULT_MAX_SECONDS,
      },
      memoryMb: options.memoryMb ?? DEFAULT_MEMORY_MB,
    };
    let { answer, files } = await attempt(job, timeoutMs, stop);
    // It may have died of what an earlier file did to it.
    if (answer?.type === "ended" && files > 1 && !stop.aborted) ({ answer } = await attempt(job, timeoutMs, stop));
    if (answer?.type === "decoded") return answer.audio;
    await rm(target, { force: true });
    stop.throwIfAborted();
    throw reasonOf(answer, timeoutMs);
  }

  keepOneWarm();
  return {
    async decode(source, target, options, signal) {
      const leave = await slots.enter(AbortSignal.any([signal, closing.signal]));
      try {
        return await decode(source, target, options, signal);
      } finally {
        leave();
      }
    },
    processes: () => [...living].flatMap(({ pid, alive }) => (alive && pid !== undefined ? [{ pid }] : [])),
    async close() {
      closing.abort(new SpeechError("closed", "the decoder is closed"));
      await Promise.all([...living].map(end));
    },
  };
}

/** @returns undefined when it took too long or was not wanted any more */
async function within<T>(milliseconds: number, promise: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  if (signal.aborted) return undefined;
  let stop = () => {};
  const stopped = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined);
  });
  const timer = setTimeout(stop, milliseconds);
  signal.addEventListener("abort", stop);
  try {
    return await Promise.race([promise, stopped]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}

function reasonOf(answer: Exclude<DecoderAnswer, { type: "decoded" }> | undefined, timeoutMs: number): Error {
  if (answer === undefined) {
    return new AudioError("too_costly", `the file took more than ${timeoutMs / 1000} s to decode`);
  }
  switch (answer.type) {
    case "refused":
      return new AudioError(answer.code, answer.message, answer.seconds);
    case "failed":
      return new Error(`the file could not be decoded: ${answer.message}`);
    case "ended":
      if (!answer.ready) return new SpeechError("failed", "the decoder does not start");
      // By its own guard, or by the system when memory ran out.
      return answer.signal === "SIGKILL"
        ? new AudioError("too_costly", "the file takes more memory to decode than any recording needs")
        : new AudioError("undecodable", "the file is damaged in a way that ended its decoder");
  }
}

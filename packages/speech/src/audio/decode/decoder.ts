import { rm } from "node:fs/promises";
import { AudioError, SpeechError } from "../../errors.ts";
import { createClosing, withSignals } from "../../lib/join-signals.ts";
import { createSlots } from "../../lib/slots.ts";
import { withTimeout } from "../../lib/timeout.ts";
import { type CpuBudget, DEFAULT_CPU_BUDGET } from "./cpu-budget.ts";
import type { DecodedAudio } from "./decode-file.ts";
import { type DecoderAnswer, type DecoderProcess, startDecoderProcess } from "./decoder-process.ts";
import type { DecodeJob } from "./messages.ts";
import { CPU_SIGNAL } from "./resource-guard.ts";

export interface DecodeOptions {
  /** Whose file it is. Files of several owners are decoded in turn. */
  readonly owner?: string | undefined;
  /** Of the samples that are written. */
  readonly sampleRate: number;
  /** The limits of the length, inclusive. */
  readonly minSeconds?: number;
  readonly maxSeconds?: number;
  /** From the start of the decoding. */
  readonly timeoutMs?: number;
  /** The memory limit of the decoder process, including the process itself (about 100 MB). */
  readonly memoryMb?: number;
  /** The limit of its CPU time, which does not depend on other work of the machine. */
  readonly cpu?: CpuBudget;
}

export interface Decoder {
  /**
   * Decodes the file at `source`, in any format, into mono samples (16 bits, little-endian) at `target`. Runs in a process of
   * its own; when it fails, `target` is removed. Throws `AudioError`, and `SpeechError` when the queue is full or the decoder
   * is closed.
   */
  decode(source: string, target: string, options: DecodeOptions, signal: AbortSignal): Promise<DecodedAudio>;
  /** The running processes. */
  processes(): readonly { readonly pid: number }[];
  /** Ends the processes and their work. */
  close(): Promise<void>;
}

export interface DecoderOptions {
  /** Files that are decoded at a time, those of one owner in all but one of the processes. A process is reused for the next file. */
  readonly processes?: number;
  /** Files that may wait. */
  readonly queue?: number;
}

const DEFAULT_MAX_SECONDS = 12 * 3600;
/** An hour of audio takes about 10 s; on a busy machine several times that. */
const DEFAULT_TIMEOUT_MS = 300_000;
const DEFAULT_MEMORY_MB = 512;
const START_TIMEOUT_MS = 30_000;
/** Limits after which a process is replaced, in case of memory leaks. */
const MAX_FILES_PER_PROCESS = 100;
const MAX_REUSED_RSS_MB = 256;

interface Attempt {
  /** Undefined when it took too long or was cancelled. */
  readonly answer: DecoderAnswer | undefined;
  /** Files that the process was given, including this one. */
  readonly files: number;
}

/** Most files take a few seconds at most. */
const RETRY_SECONDS = 2;

const NOT_STARTED = { type: "ended", signal: null, ready: false } as const;

/**
 * Decodes audio files of any format in separate processes, so that a damaged or malicious file can do no harm.
 *
 * @example
 * ```ts
 * import { createDecoder, openSamples } from "@parlance/speech";
 *
 * const decoder = createDecoder();
 * const options = { sampleRate: 16_000, maxSeconds: 3600 };
 * const { seconds } = await decoder.decode("input.mp3", "output.raw", options, AbortSignal.timeout(60_000));
 * const file = await openSamples("output.raw");
 * const firstSecond = await file.read(0, 16_000);
 * console.log(seconds, firstSecond.length);
 * await file.close();
 * await decoder.close();
 * ```
 */
export function createDecoder({ processes = 3, queue = 64 }: DecoderOptions = {}): Decoder {
  const slots = createSlots({
    capacity: processes,
    maxWaiting: queue,
    refusal: () => new SpeechError("overloaded", "too many recordings wait to be decoded", RETRY_SECONDS),
  });
  const idle: DecoderProcess[] = [];
  const living = new Set<DecoderProcess>();
  const closing = createClosing();

  function start(): DecoderProcess {
    const process = startDecoderProcess();
    living.add(process);
    return process;
  }

  async function end(process: DecoderProcess): Promise<void> {
    await process.kill();
    living.delete(process);
  }

  /** Starts a process ahead of the next file. */
  function keepOneReady(): void {
    if (living.size === 0 && !closing.signal.aborted) idle.push(start());
  }

  /** Skips processes that were ended from outside while they were idle. */
  function anyProcess(): DecoderProcess {
    for (let process = idle.pop(); process; process = idle.pop()) {
      if (process.alive) return process;
      living.delete(process);
    }
    return start();
  }

  async function attempt(job: DecodeJob, timeoutMs: number, stop: AbortSignal): Promise<Attempt> {
    const process = anyProcess();
    const started = await withTimeout(START_TIMEOUT_MS, process.started, stop);
    const answer = started ? await withTimeout(timeoutMs, process.decode(job), stop) : NOT_STARTED;
    const isComplete = answer?.type === "decoded" || answer?.type === "refused";
    const isWorn = !isComplete || answer.rssMb > MAX_REUSED_RSS_MB || process.files >= MAX_FILES_PER_PROCESS;
    if (isWorn || stop.aborted) await end(process);
    else idle.push(process);
    if (started) keepOneReady();
    return { answer, files: process.files };
  }

  async function decode(source: string, target: string, options: DecodeOptions, stop: AbortSignal) {
    const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const job = {
      source,
      target,
      limits: {
        sampleRate: options.sampleRate,
        minSeconds: options.minSeconds ?? 0,
        maxSeconds: options.maxSeconds ?? DEFAULT_MAX_SECONDS,
      },
      memoryMb: options.memoryMb ?? DEFAULT_MEMORY_MB,
      cpu: options.cpu ?? DEFAULT_CPU_BUDGET,
    };
    let { answer, files } = await attempt(job, timeoutMs, stop);
    // An earlier file may have caused the crash, but not that this one takes long.
    const mayRetry = answer?.type === "ended" && answer.signal !== CPU_SIGNAL && files > 1;
    if (mayRetry && !stop.aborted) ({ answer } = await attempt(job, timeoutMs, stop));
    if (answer?.type === "decoded") return answer.audio;
    await rm(target, { force: true });
    stop.throwIfAborted();
    throw toError(answer, timeoutMs);
  }

  keepOneReady();
  return {
    decode: (source, target, options, signal) =>
      withSignals([signal, closing.signal], (stop) =>
        slots.run(() => decode(source, target, options, stop), stop, { owner: options.owner }),
      ),
    processes: () => [...living].flatMap(({ pid, alive }) => (alive && pid !== undefined ? [{ pid }] : [])),
    async close() {
      closing.abort(new SpeechError("closed", "the decoder is closed"));
      await Promise.all([...living].map(end));
    },
  };
}

function toError(answer: Exclude<DecoderAnswer, { type: "decoded" }> | undefined, timeoutMs: number): Error {
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
      if (answer.signal === CPU_SIGNAL)
        return new AudioError("too_costly", "the file takes more time to decode than any recording needs");
      // Ended by its guard, or by the system when memory ran out.
      return answer.signal === "SIGKILL"
        ? new AudioError("too_costly", "the file takes more memory to decode than any recording needs")
        : new AudioError("undecodable", "the file is damaged in a way that ended its decoder");
  }
}

import { readFile } from "node:fs/promises";
import {
  AudioError,
  type SpeakersRequest,
  SpeechError,
  type Transcription,
  type TranscriptionRequest,
  type TranscriptSegment,
  type TranscriptSpeaker,
} from "@parlance/speech";
import { listenToBursts } from "./burst-listening.ts";

/**
 * A Transcription that detects bursts of noise instead of speech: each burst is a segment, and its level, in hundredths
 * of full scale, is its text. For load tests and tests of HTTP that need an exact result at an exact time. It proves
 * nothing about recognition, which is tested with the real engines, and reads only WAV files of 16-bit mono.
 */
export interface BurstTranscription extends Transcription {
  /** All jobs so far, with their state. */
  readonly jobs: BurstJob[];
}

export interface BurstJob {
  readonly request: TranscriptionRequest;
  readonly signal: AbortSignal;
  ended: boolean;
}

export interface BurstOptions {
  /** Awaited before the recording is read. */
  readonly before?: (job: BurstJob) => Promise<void> | void;
  readonly engines?: readonly ("moonshine" | "whisper")[];
  /** True by default. */
  readonly tellsSpeakers?: boolean;
  readonly minSeconds?: number;
  readonly maxSeconds?: number;
  /** Live streams at a time. */
  readonly maxStreams?: number;
}

export function createBurstTranscription(options: BurstOptions = {}): BurstTranscription {
  const { before = () => {}, engines = ["moonshine", "whisper"], minSeconds = 1, maxSeconds = 3600 } = options;
  let streams = 0;
  const jobs: BurstJob[] = [];
  return {
    jobs,
    engines: () => engines,
    translators: () => engines.filter((engine) => engine === "whisper"),
    tellsSpeakers: () => options.tellsSpeakers ?? true,
    languages: () => (engines.includes("whisper") ? ["en", "fr", "zh"] : ["en"]),
    async transcribe(request, signal) {
      const job: BurstJob = { request, signal, ended: false };
      jobs.push(job);
      try {
        await before(job);
        signal.throwIfAborted();
        const { samples, sampleRate } = readWav(await readFile(request.path));
        const duration = samples.length / sampleRate;
        if (duration < (request.minSeconds ?? minSeconds)) throw new AudioError("too_short", "too short", duration);
        if (duration > maxSeconds) throw new AudioError("too_long", "too long", duration);
        await request.onDecoded?.(duration);
        const found = bursts(samples, sampleRate);
        const levels = [...new Set(found.map(({ text }) => text))];
        // Each level is one speaker.
        const segments = request.speakers
          ? found.map((burst) => ({ ...burst, speaker: levels.indexOf(burst.text) }))
          : found;
        for (const [index, { text }] of segments.entries()) request.onText?.(index === 0 ? text : ` ${text}`);
        const language = segments.length === 0 ? undefined : (request.language ?? "en");
        return {
          text: segments.map((each) => each.text).join(" "),
          duration,
          language,
          segments,
          ...(request.wordTimes === true ? { words: segments } : {}),
          ...(request.speakers ? { speakers: speakersOf(request.speakers, levels) } : {}),
        };
      } finally {
        job.ended = true;
      }
    },
    async listen(request, signal) {
      if (streams >= (options.maxStreams ?? 64)) throw new SpeechError("overloaded", "no more streams", 7);
      streams++;
      return listenToBursts(request, signal, bursts, () => streams--);
    },
    refresh: async () => {},
    workers: () => [],
    close: async () => {},
  };
}

/** The first speakers are the known ones. */
function speakersOf({ known = [] }: SpeakersRequest, levels: readonly string[]): readonly TranscriptSpeaker[] {
  return levels.map((_, index) => ({ name: known[index]?.name, seconds: 1, embedding: Float32Array.of(1, 0) }));
}

/** Silence that ends a burst. */
const GAP_SECONDS = 0.02;

function bursts(samples: Int16Array, sampleRate: number): readonly TranscriptSegment[] {
  const found: TranscriptSegment[] = [];
  const gap = GAP_SECONDS * sampleRate;
  let [start, end, peak] = [-1, -1, 0];
  const close = (): void => {
    if (start < 0) return;
    const text = String(Math.round((peak / 32767) * 100));
    found.push({ text, start: start / sampleRate, end: (end + 1) / sampleRate });
    [start, peak] = [-1, 0];
  };
  for (const [at, sample] of samples.entries()) {
    if (sample === 0) {
      if (start >= 0 && at - end > gap) close();
      continue;
    }
    if (start < 0) start = at;
    end = at;
    peak = Math.max(peak, Math.abs(sample));
  }
  close();
  return found;
}

function readWav(file: Buffer): { readonly samples: Int16Array; readonly sampleRate: number } {
  const isPcm = file.toString("latin1", 0, 4) === "RIFF" && file.length >= 44 && file.readUInt16LE(20) === 1;
  if (!isPcm || file.readUInt16LE(22) !== 1 || file.readUInt16LE(34) !== 16) {
    throw new AudioError("undecodable", "it is not a WAV file of 16-bit mono");
  }
  const samples = new Int16Array(Math.floor((file.length - 44) / 2));
  for (let i = 0; i < samples.length; i += 1) samples[i] = file.readInt16LE(44 + 2 * i);
  return { samples, sampleRate: file.readUInt32LE(24) };
}

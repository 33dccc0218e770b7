import { parallelMap } from "../../lib/parallel-map.ts";
import { noSpan, type Span, withSpan } from "../../lib/tracing.ts";
import type { TranscriptSpeaker } from "../../transcript.ts";
import type { AudioSource } from "../jobs.ts";
import type { RecognitionWorkers } from "../recognition-pool.ts";
import { runJob, summarizeJobs } from "../run-jobs.ts";
import { endsSentence } from "../segments.ts";
import type { SpeechSpan } from "../spans.ts";
import type { Region } from "../speech-regions.ts";
import type { TranscribedWord } from "../transcribe-span.ts";
import type { VoiceWindow } from "./group-voices.ts";
import { planWindows } from "./voice-windows.ts";

/** The maximum number of speakers of a recording. */
export const MAX_SPEAKERS = 32;

/** A known speaker by the x-vector of the voice. */
export interface KnownVoice {
  readonly name: string;
  readonly vector: Float32Array;
}

export interface SpeakersWork {
  /** Path of the decoded recording. */
  readonly path: string;
  readonly workers: RecognitionWorkers;
  readonly concurrency: number;
  readonly trace?: Span | undefined;
}

/** The x-vectors of windows of the speech in all spans. */
export async function embedSpeech(
  spans: readonly SpeechSpan[],
  { path, workers, concurrency, trace = noSpan }: SpeakersWork,
  signal: AbortSignal,
): Promise<readonly VoiceWindow[]> {
  const windows = planWindows(spans.flatMap(({ regions }) => regions));
  return withSpan(trace, "voices", async (traced) => {
    traced.set({ windows: windows.length });
    const onEnd = summarizeJobs(traced);
    const found = await parallelMap(spans, concurrency, signal, async (span, stop) => {
      const inside = windows.filter(({ from, to }) => from >= span.from && to <= span.to);
      if (inside.length === 0) return [];
      const job = {
        type: "embed-voices",
        audio: { path },
        span: { from: span.from, to: span.to },
        windows: inside,
      } as const;
      const { vectors } = await runJob(workers, job, "voices", stop, onEnd);
      return inside.flatMap((window, index) => withVector(window, vectors[index]));
    });
    return found.flat();
  });
}

function withVector(window: Region, vector: Float32Array | null | undefined): VoiceWindow[] {
  return vector === undefined || vector === null ? [] : [{ ...window, vector }];
}

/** The x-vector of a whole recording of one person. Undefined without speech. */
export async function embedRecording(
  audio: AudioSource,
  seconds: number,
  workers: RecognitionWorkers,
  signal: AbortSignal,
): Promise<Float32Array | undefined> {
  const span = { from: 0, to: seconds };
  const { vectors } = await runJob(
    workers,
    { type: "embed-voices", audio, span, windows: [span] },
    "voices",
    signal,
    () => {},
  );
  return vectors[0] ?? undefined;
}

/** The words with their speakers, and the speakers. */
export async function attributeWords(
  words: readonly TranscribedWord[],
  windows: readonly VoiceWindow[],
  request: { readonly count?: number | undefined; readonly known: readonly KnownVoice[] },
  { workers, trace = noSpan }: SpeakersWork,
  signal: AbortSignal,
): Promise<{ readonly words: readonly TranscribedWord[]; readonly speakers: readonly TranscriptSpeaker[] }> {
  return withSpan(trace, "speakers", async (traced) => {
    const times = words.map((word) => ({ start: word.start, end: word.end, endsSentence: endsSentence(word) }));
    const known = request.known.map(({ vector }) => vector);
    const job = {
      type: "group-voices",
      windows,
      words: times,
      count: request.count,
      maxCount: MAX_SPEAKERS,
      known,
    } as const;
    const { speakers, ofWords } = await runJob(workers, job, "grouped", signal, summarizeJobs(traced));
    traced.set({ speakers: speakers.length });
    const seconds = speakers.map(() => 0);
    const attributed = words.map((word, index) => {
      const speaker = ofWords[index] ?? 0;
      seconds[speaker] = (seconds[speaker] ?? 0) + word.end - word.start;
      return { ...word, speaker };
    });
    return {
      words: attributed,
      speakers: speakers.map(({ embedding, known: match }, index) => ({
        ...(match === undefined || match === null ? {} : { name: request.known[match]?.name }),
        seconds: seconds[index] ?? 0,
        embedding,
      })),
    };
  });
}

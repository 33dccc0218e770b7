import { randomUUID } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Parlance, type PartsOptions, type TranscribePart, type Transcript, transcribeInParts } from "@parlance/client";
import { type AsrResult, type RecognizerModel, speakerLabels, toAsrSpeakers } from "@parlance/protocol";
import {
  createDecoder,
  createTranscription,
  type Decoder,
  type Transcript as LocalTranscript,
  type ModelStore,
  type RecognizerSize,
  recognizerDescriptor,
} from "@parlance/speech";
import { UsageError } from "../errors.ts";
import type { OpenRecording } from "./recording.ts";

export interface RecognitionOptions {
  readonly language: string | undefined;
  readonly granularity: "segment" | "word";
  readonly model: "transcribe-1" | RecognizerModel;
  /** Speaker diarization: on or off, or the number of speakers. */
  readonly speakers: boolean | number;
}

/** Transcribes recordings: on a server, or on this machine. */
export interface Recognizer {
  /** Together with the options it determines the result. */
  readonly identity: string;
  transcribe(recording: OpenRecording, options: Required<PartsOptions> & RecognizerCall): Promise<Transcript>;
  close(): Promise<void>;
}

interface RecognizerCall {
  readonly signal: AbortSignal;
  /** Called with the reason of a wait. */
  readonly onNote: (text: string) => void;
}

export function serverRecognizer(
  baseUrl: string,
  apiKey: string | undefined,
  recognition: RecognitionOptions,
): Recognizer {
  const client = new Parlance({ baseUrl, apiKey });
  const decoder = lazyDecoder();
  return {
    identity: baseUrl,
    transcribe: (recording, { onNote, ...options }) =>
      client.asr.long(recording, {
        ...recognition,
        ...options,
        decode: (_file, signal = options.signal) => recording.decode(decoder.get(), signal),
        onRetry: (error, waitMs) => onNote(`${error.message}; trying again in ${Math.ceil(waitMs / 1000)} s`),
      }),
    close: decoder.close,
  };
}

/** Splits recordings as for a server, so that they can be resumed and long ones need no more memory. */
export async function localRecognizer(
  models: ModelStore,
  size: RecognizerSize,
  folder: string,
  recognition: RecognitionOptions,
): Promise<Recognizer> {
  const { granularity, language } = recognition;
  const count = typeof recognition.speakers === "number" ? recognition.speakers : undefined;
  const speakers = recognition.speakers === false ? undefined : { count };
  const transcription = await createTranscription({ models, size });
  const decoder = lazyDecoder();
  const engine = recognition.model === "transcribe-1" ? undefined : recognition.model;
  const known = engine === undefined ? transcription.languages() : recognizerDescriptor(engine).languages;
  if (language !== undefined && !known.includes(language)) {
    await transcription.close();
    throw new UsageError(`--language ${language}: it must be one of ${known.join(", ")}`);
  }
  const part: TranscribePart = async (wav, signal): Promise<AsrResult> => {
    const path = join(folder, `part-${randomUUID()}.wav`);
    try {
      await writeFile(path, wav, { mode: 0o600 });
      const transcript = await transcription.transcribe({ path, language, granularity, engine, speakers }, signal);
      return toResult(transcript);
    } finally {
      await rm(path, { force: true });
    }
  };
  return {
    identity: `this machine, ${size}`,
    async transcribe(recording, options) {
      const pcm = await recording.decode(decoder.get(), options.signal);
      return transcribeInParts(pcm, part, { ...options, speakerCount: count });
    },
    async close() {
      await Promise.all([transcription.close(), decoder.close()]);
    },
  };
}

/** As a server responds. */
function toResult({ text, duration, segments, language: spoken, speakers }: LocalTranscript): AsrResult {
  const language = spoken ?? null;
  const labels = speakerLabels(speakers ?? []);
  return {
    text,
    duration,
    segments: segments.map(({ speaker, ...segment }) =>
      speaker === undefined ? segment : { ...segment, speaker: labels[speaker] },
    ),
    language,
    language_code: language,
    ...(speakers === undefined ? {} : { speakers: toAsrSpeakers(speakers, labels) }),
  };
}

/** Starts the decoder process when it is first needed; WAV files do not need it. */
function lazyDecoder(): { get(): Decoder; close(): Promise<void> } {
  let decoder: Decoder | undefined;
  return {
    get() {
      decoder ??= createDecoder({ processes: 1 });
      return decoder;
    },
    close: async () => decoder?.close(),
  };
}

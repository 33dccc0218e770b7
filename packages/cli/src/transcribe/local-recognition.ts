import { randomUUID } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Parlance, type PartsOptions, type TranscribePart, type Transcript, transcribeInParts } from "@parlance/client";
import type { AsrResult, RecognizerModel } from "@parlance/protocol";
import {
  createDecoder,
  createTranscription,
  type Decoder,
  type ModelStore,
  type RecognizerSize,
  recognizerDescriptor,
} from "@parlance/speech";
import { UsageError } from "../errors.ts";
import type { OpenRecording } from "./recording.ts";

export interface Wishes {
  readonly language: string | undefined;
  readonly granularity: "segment" | "word";
  readonly model: "transcribe-1" | RecognizerModel;
}

/** Whoever listens: a server, or this machine. */
export interface Ears {
  /** With the wishes, what a result depends on. */
  readonly identity: string;
  transcribe(recording: OpenRecording, options: Required<PartsOptions> & HeardOptions): Promise<Transcript>;
  close(): Promise<void>;
}

interface HeardOptions {
  readonly signal: AbortSignal;
  /** Told about waits, so that nobody wonders. */
  readonly onNote: (text: string) => void;
}

export function serverEars(baseUrl: string, apiKey: string | undefined, wishes: Wishes): Ears {
  const client = new Parlance({ baseUrl, apiKey });
  const decoder = lazyDecoder();
  return {
    identity: baseUrl,
    transcribe: (recording, { onNote, ...options }) =>
      client.asr.long(recording, {
        ...wishes,
        ...options,
        decode: (_file, signal = options.signal) => recording.decode(decoder.get(), signal),
        onRetry: (error, waitMs) => onNote(`${error.message}; trying again in ${Math.ceil(waitMs / 1000)} s`),
      }),
    close: decoder.close,
  };
}

/** The recording is cut in the same way as for a server: so that it can be resumed, and hours need no more memory. */
export async function localEars(
  models: ModelStore,
  size: RecognizerSize,
  folder: string,
  wishes: Wishes,
): Promise<Ears> {
  const { granularity, language } = wishes;
  const transcription = await createTranscription({ models, size });
  const decoder = lazyDecoder();
  const engine = wishes.model === "transcribe-1" ? undefined : wishes.model;
  const known = engine === undefined ? transcription.languages() : recognizerDescriptor(engine).languages;
  if (language !== undefined && !known.includes(language)) {
    await transcription.close();
    throw new UsageError(`--language ${language}: it must be one of ${known.join(", ")}`);
  }
  const part: TranscribePart = async (wav, signal): Promise<AsrResult> => {
    const path = join(folder, `part-${randomUUID()}.wav`);
    try {
      await writeFile(path, wav, { mode: 0o600 });
      const heard = await transcription.transcribe({ path, language, granularity, engine }, signal);
      const said = heard.language ?? null;
      return { ...heard, segments: [...heard.segments], language: said, language_code: said };
    } finally {
      await rm(path, { force: true });
    }
  };
  return {
    identity: `this machine, ${size}`,
    async transcribe(recording, options) {
      const pcm = await recording.decode(decoder.get(), options.signal);
      return transcribeInParts(pcm, part, options);
    },
    async close() {
      await Promise.all([transcription.close(), decoder.close()]);
    },
  };
}

/** A process that many recordings never need. */
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

import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { createDecoder } from "../audio/decode/index.ts";
import type { ModelStore } from "../models/index.ts";
import { createAdmission } from "../pool/admission/request-admission.ts";
import { SpeechError } from "../speech.ts";
import { during, noSpan, roundMs } from "../tracing.ts";
import type { RecognizerName, Transcript, Transcription, TranscriptionRequest } from "../transcript.ts";
import { installedRecognizers, type WhisperSize } from "./installed.ts";
import { createListeners } from "./recognition-pool.ts";
import { sampleRate } from "./recognizers.ts";
import { type Assignment, transcribeSamples } from "./transcribe-samples.ts";

export interface TranscriptionOptions {
  readonly models: ModelStore;
  /** Worker processes; by default as many as there are cores, at most four. */
  readonly workers?: number | undefined;
  /** Recordings that are shorter or longer are refused. */
  readonly minSeconds?: number | undefined;
  readonly maxSeconds?: number | undefined;
  /** Which Whisper listens to languages other than English; `base` by default. One that is not installed is fetched. */
  readonly whisper?: WhisperSize | undefined;
  /** Recordings that may be worked on or wait at one time; one more is refused. */
  readonly queue?: number | undefined;
  readonly onWorkerLost?: ((reason: string) => void) | undefined;
}

const USUAL_QUEUE = 16;

/** Makes ready to listen. Processes and models are only loaded for the first recording, and let go after some idle minutes. */
export async function createTranscription(options: TranscriptionOptions): Promise<Transcription> {
  const cores = availableParallelism();
  const workers = options.workers ?? Math.min(cores, 4);
  const threads = Math.max(1, Math.floor(cores / workers));
  const admission = createAdmission(options.queue ?? USUAL_QUEUE, "transcriptions");
  const decoder = createDecoder();
  const listeners = createListeners({ workers, onWorkerLost: options.onWorkerLost });
  const look = () => installedRecognizers(options.models, options.whisper ?? "base", threads);
  let installed = await look();
  const closing = new AbortController();

  /** English is Moonshine's, everything else Whisper's, unless the caller or what is installed decides otherwise. */
  const assignTo =
    (wanted: RecognizerName | undefined) =>
    (language: string | undefined): Assignment | undefined => {
      const { engines, languages } = installed;
      const alone = engines.length === 1 ? engines[0] : undefined;
      if (language === undefined) {
        // Nothing has to be detected where only English is understood.
        return (wanted ?? alone) === "moonshine" ? { engine: "moonshine", language: "en" } : undefined;
      }
      const engine = wanted ?? (language === "en" && engines.includes("moonshine") ? "moonshine" : "whisper");
      if (!engines.includes(engine)) throw new SpeechError("failed", `the model of ${engine} is not installed`);
      if (!languages(engine).includes(language)) {
        throw new SpeechError("failed", `${engine} does not know the language "${language}"`);
      }
      return { engine, language };
    };

  /** A size that somebody chose is fetched for the first recording. */
  async function fetchChosen(signal: AbortSignal): Promise<void> {
    if (!options.whisper || installed.engines.includes("whisper")) return;
    await options.models.pull(["silero-vad", `whisper-${options.whisper}`], { signal });
    installed = await look();
  }

  async function transcribe(request: TranscriptionRequest, signal: AbortSignal): Promise<Transcript> {
    await fetchChosen(signal);
    if (installed.engines.length === 0) throw new SpeechError("failed", "no model for speech to text is installed");
    const { trace = noSpan } = request;
    const assign = assignTo(request.engine);
    // What cannot be is refused before any work.
    assign(request.language);
    const folder = await mkdtemp(join(request.workFolder ?? tmpdir(), "parlance-audio-"));
    try {
      const path = join(folder, "samples");
      const limits = { minSeconds: options.minSeconds, maxSeconds: options.maxSeconds };
      const { seconds } = await during(trace, "decode", async (span) => {
        const decoded = await decoder.decode(request.path, path, { sampleRate, ...given(limits) }, signal);
        const { container, codec, channels, sourceRate } = decoded;
        span.set({ container, codec, channels, sample_rate: sourceRate, audio_seconds: roundMs(decoded.seconds) });
        return decoded;
      });
      await request.onDecoded?.(seconds);
      return await listeners.use(
        installed.spec,
        (lent) => transcribeSamples({ path, seconds }, request, assign, lent, signal),
        { inPassing: request.inPassing },
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  return {
    engines: () => installed.engines,
    languages: () => [...new Set(installed.engines.flatMap((engine) => installed.languages(engine)))].sort(),
    async transcribe(request, signal) {
      signal.throwIfAborted();
      closing.signal.throwIfAborted();
      const leave = admission.enter();
      try {
        return await transcribe(request, AbortSignal.any([signal, closing.signal]));
      } finally {
        leave();
      }
    },
    async refresh() {
      installed = await look();
    },
    workers: listeners.pids,
    async close() {
      closing.abort(new SpeechError("closed", "the service is shutting down"));
      await Promise.all([decoder.close(), listeners.close()]);
    },
  };
}

/** Without the entries that are undefined. */
function given<T extends object>(values: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}

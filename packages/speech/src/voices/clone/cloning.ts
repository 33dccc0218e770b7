import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDecoder } from "../../audio/decode/index.ts";
import { engineSpec } from "../../engines/catalogue.ts";
import type { ModelStore } from "../../models/index.ts";
import { createAdmission } from "../../pool/admission/request-admission.ts";
import { createLentPool } from "../../pool/idle-pool.ts";
import { workerModule } from "../../pool/worker-process.ts";
import { SpeechError } from "../../speech.ts";
import { AudioError } from "../../transcript.ts";
import type { HeardRecording, HearingJob, HearingSpec, ListeningJob } from "./analysis.ts";
import { type HeardSpeaker, meanSpeaker } from "./analyzed-speaker.ts";
import { checkRecordings, type UsableRecording } from "./check-recordings.ts";
import { CloneError } from "./clone-error.ts";
import { countLetters, lettersPerSecond, paceFor } from "./pace.ts";
import type { Effort, RefinedVoice, RefiningJob, RefiningSpec } from "./refinement.ts";
import { type SayTrial, TRIAL_TEXT } from "./say-trial.ts";
import { HEARING_RATE } from "./speech-only.ts";
import { fitOf, nearestSpeakers, readStockSpeakers } from "./stock-speakers.ts";
import { xvectorFiles } from "./xvector/catalogue.ts";

export interface CloningOptions {
  readonly models: ModelStore;
  /** Recordings that are shorter or longer are refused. */
  readonly leastSeconds: number;
  readonly mostSeconds: number;
  /** How many voices a thorough refinement tries. */
  readonly effort?: Effort | undefined;
  readonly onWorkerLost?: ((reason: string) => void) | undefined;
  /** Lets a new voice be heard before it is given away. Left out: it is taken as it is. */
  readonly sayTrial?: SayTrial | undefined;
  /** How long that may take before the voice is taken as it is. */
  readonly trialMs?: number | undefined;
  /** Told that somebody wants a voice and that models for it are missing, each time. */
  readonly onWanted?: (() => void) | undefined;
}

/** A recording that was listened to, with its speech alone as Ogg Opus where that was asked for. */
export type ClonedRecording = UsableRecording;

/** A voice of somebody's own, as the engine `piper` speaks with it. */
export interface ClonedVoice {
  readonly recordings: readonly ClonedRecording[];
  readonly embedding: Float32Array;
  /** One of the engine's own speakers, when it sounds more like the recordings than `embedding` does. */
  readonly nearer: string | undefined;
  /** How much faster than by itself it has to speak, to be as fast as the speaker where the texts tell how fast that is. */
  readonly pace: number;
}

export interface CloneRequest {
  /** Files with audio in any container and codec. */
  readonly recordings: readonly string[];
  /** What is said in each, where it is known. */
  readonly texts?: readonly (string | undefined)[] | undefined;
  /** Where decoded recordings lie meanwhile, in a folder of their own. Left out: in the system's folder for such files. */
  readonly workFolder?: string | undefined;
  /** Takes rumble and steady noise out first. */
  readonly enhance: boolean;
  /** Whether the speech is wanted back. */
  readonly keep: boolean;
  /** Speech of a recording beyond that is not listened to. */
  readonly listenSeconds?: number | undefined;
}

export interface Refinement {
  readonly recordings: RefiningJob["recordings"];
  /** The voice as it is. */
  readonly embedding: string | Float32Array;
  readonly lettersPerSecond?: number | undefined;
  /** quick: half a minute of one core, and most of the way · thorough: what is left, in minutes */
  readonly pass: "quick" | "thorough";
}

/** Makes voices from recordings of a speaker. */
export interface Cloning {
  /** The models that are still missing. */
  missing(): readonly string[];
  /** Says that they are wanted, to whoever can fetch them. */
  want(): void;
  /**
   * A voice that can speak at once. Throws `CloneError` when a recording is of no use, `SpeechError` when the service
   * cannot do it now.
   */
  create(request: CloneRequest, signal: AbortSignal): Promise<ClonedVoice>;
  /** The same voice or one that is closer. It stands back behind everything else. */
  refine(refinement: Refinement, signal: AbortSignal): Promise<RefinedVoice>;
  /** Looks again which models are installed. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

const NEEDED = ["piper-libritts", "xvector", "silero-vad"] as const;
const USUAL_EFFORT: Effort = { population: 12, generations: 9 };
const QUEUE = 64;
/** Hearing two sentences takes half a second; nobody waits much longer for it. */
const TRIAL_MS = 10_000;

/** Makes ready to listen. Processes and models are only loaded when they are needed, and let go after some idle minutes. */
export async function createCloning(options: CloningOptions): Promise<Cloning> {
  const { models, leastSeconds, mostSeconds, effort = USUAL_EFFORT, trialMs = TRIAL_MS, onWorkerLost } = options;
  const decoder = createDecoder();
  const admission = createAdmission(QUEUE, "voices");
  const closing = new AbortController();
  const hearing = createLentPool<HearingSpec, HearingJob, HeardRecording | Float32Array>({
    entry: workerModule("./analysis-worker", import.meta.url),
    name: "the listener",
    workers: 1,
    onWorkerLost,
  });
  const refining = createLentPool<RefiningSpec, RefiningJob, RefinedVoice>({
    entry: workerModule("./refinement-worker", import.meta.url),
    name: "the refinement",
    workers: 1,
    keptIdleMs: 10_000,
    onWorkerLost,
  });
  const stock = await readStockSpeakers();
  const look = async (): Promise<readonly string[]> => {
    const installed = await Promise.all(NEEDED.map((id) => models.has(id)));
    return NEEDED.filter((_, index) => !installed[index]);
  };
  let missing = await look();
  const assertInstalled = (): void => {
    if (missing.length > 0) throw new SpeechError("overloaded", `not installed: ${missing.join(", ")}`, 10);
  };

  async function hear(path: string, index: number, request: CloneRequest, folder: string, signal: AbortSignal) {
    const target = join(folder, String(index));
    try {
      await decoder.decode(
        path,
        target,
        { sampleRate: HEARING_RATE, minSeconds: leastSeconds, maxSeconds: mostSeconds },
        signal,
      );
    } catch (error) {
      throw error instanceof AudioError ? new CloneError(index, refusalOf(error, options), error) : error;
    }
    const { enhance, keep, listenSeconds = mostSeconds } = request;
    return listen({ path: target, enhance, keep, mostSeconds: listenSeconds }, signal);
  }

  function askListener(job: HearingJob, signal: AbortSignal): Promise<HeardRecording | Float32Array> {
    const spec = { silero: models.path("silero-vad", "model.onnx"), xvector: xvectorFiles(models) };
    return hearing.use(spec, (run) => run(job, signal));
  }

  async function listen(job: ListeningJob, signal: AbortSignal): Promise<HeardRecording> {
    const heard = await askListener(job, signal);
    if (heard instanceof Float32Array) throw new SpeechError("failed", "the listener did not listen");
    return heard;
  }

  async function encode(speaker: HeardSpeaker, signal: AbortSignal): Promise<Float32Array> {
    const voice = await askListener(speaker, signal);
    if (!(voice instanceof Float32Array)) throw new SpeechError("failed", "the listener made no voice");
    return voice;
  }

  /**
   * The voice, or the engine's own speaker that fits best where it fits better, and how fast it speaks. Both say something
   * and are heard. Where nothing can be said, nothing is known of it.
   */
  async function tried(
    voice: Float32Array,
    wanted: HeardSpeaker,
    folder: string,
    signal: AbortSignal,
  ): Promise<{ readonly nearer?: string; readonly lettersPerSecond?: number }> {
    const { sayTrial } = options;
    const nearest = nearestSpeakers(stock, wanted, 1)[0]?.name;
    if (sayTrial === undefined || nearest === undefined) return {};
    const inTime = AbortSignal.any([signal, AbortSignal.timeout(trialMs)]);
    const hearTrial = async (embedding: string | Float32Array, name: string) => {
      const path = join(folder, name);
      await writeFile(path, await sayTrial(embedding, inTime));
      const heard = await listen({ path, enhance: false, keep: false, mostSeconds }, inTime);
      const { vector, pitch, speechSeconds } = heard;
      const fit = vector === undefined ? Number.NEGATIVE_INFINITY : fitOf({ vector, pitch }, wanted);
      return { fit, lettersPerSecond: countLetters(TRIAL_TEXT) / speechSeconds };
    };
    try {
      const trials = [hearTrial(voice, "voice"), hearTrial(nearest, "nearest")] as const;
      const [ofVoice, ofNearest] = await Promise.all(trials);
      return ofNearest.fit > ofVoice.fit ? { nearer: nearest, ...ofNearest } : ofVoice;
    } catch {
      signal.throwIfAborted();
      // A house that is too busy for it now judges later, when the voice is refined.
      return {};
    }
  }

  async function create(request: CloneRequest, signal: AbortSignal): Promise<ClonedVoice> {
    const folder = await mkdtemp(join(request.workFolder ?? tmpdir(), "parlance-voice-"));
    try {
      const heard: HeardRecording[] = [];
      for (const [index, path] of request.recordings.entries()) {
        heard.push(await hear(path, index, request, folder, signal));
      }
      const recordings = checkRecordings(heard, { leastSeconds });
      const speaker = speakerOf(recordings);
      const embedding = await encode(speaker, signal);
      const { nearer, ...own } = await tried(embedding, speaker, folder, signal);
      const wanted = lettersPerSecond(
        recordings.map(({ speechSeconds }, index) => ({ text: request.texts?.[index], seconds: speechSeconds })),
      );
      return { recordings, embedding, nearer, pace: paceFor(wanted, own.lettersPerSecond) };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async function refine({ recordings, embedding, lettersPerSecond, pass }: Refinement, signal: AbortSignal) {
    const spec = await engineSpec("piper", models, 1);
    if (spec?.engine !== "piper") throw new SpeechError("failed", "the model of piper is not installed");
    const nearest = nearestSpeakers(stock, meanSpeaker(recordings), 1).map(({ name }) => name);
    const job =
      pass === "quick"
        ? { recordings, starts: [embedding, ...nearest], lettersPerSecond, steer: true }
        : { recordings, starts: [embedding], lettersPerSecond, steer: false, effort };
    return refining.use({ piper: spec.files, xvector: xvectorFiles(models) }, (run) => run(job, signal));
  }

  return {
    missing: () => missing,
    want() {
      options.onWanted?.();
    },
    async create(request, signal) {
      assertInstalled();
      closing.signal.throwIfAborted();
      const leave = admission.enter();
      try {
        return await create(request, AbortSignal.any([signal, closing.signal]));
      } finally {
        leave();
      }
    },
    async refine(refinement, signal) {
      assertInstalled();
      return refine(refinement, AbortSignal.any([signal, closing.signal]));
    },
    async refresh() {
      missing = await look();
    },
    async close() {
      closing.abort(new SpeechError("closed", "the service is shutting down"));
      await Promise.all([decoder.close(), hearing.close(), refining.close()]);
    },
  };
}

/** Who is heard in all of the recordings together. */
export function speakerOf(recordings: readonly ClonedRecording[]): HeardSpeaker {
  return meanSpeaker(recordings.map(({ vector, pitch, speechSeconds }) => ({ vector, pitch, weight: speechSeconds })));
}

function refusalOf(error: AudioError, { leastSeconds, mostSeconds }: CloningOptions): string {
  switch (error.code) {
    case "undecodable":
      return `cannot be decoded: ${error.message}`;
    case "no_audio":
      return "has no audio track";
    case "too_short":
      return `is too short: it has to last at least ${leastSeconds} s`;
    case "too_long":
      return `is too long: it may last at most ${mostSeconds} s, send the best part of it`;
    case "too_costly":
      return "takes more time or memory to decode than a recording of the allowed length does";
  }
}

import { isRecord, parseLiveStart, type TimestampFields, type TtsRequest } from "@parlance/protocol";
import { type LiveInput, type Span, type Speech, type SpeechPart, withSpan } from "@parlance/speech";
import { noAudioError, settlesWithin, stoppedError } from "../../../http/timeouts.ts";
import { createTimestamps } from "../../../http/timestamps.ts";
import { sampleBytesOf, wholeSamples } from "../../../http/whole-samples.ts";
import type { ChunkCharges } from "../../../services/billing/chunk-charges.ts";
import type { Caller } from "../../../services/identity/keys.ts";
import { createReadingCheck, type ReadingCheck, type Synthesis } from "../../../services/speech/synthesis.ts";
import { createAudioMeter } from "../../../telemetry/audio-meter.ts";
import type { RequestFacts } from "../../../telemetry/request-log.ts";
import { type AudioFrame, createAudioFramer } from "./audio-framer.ts";
import { createInputQueue, type InputQueue } from "./input-queue.ts";

/** The reason of an abort that is no fault: the rest of the round is not wanted any more. */
export class Interruption extends Error {
  constructor() {
    super("the round was interrupted");
    this.name = "Interruption";
  }
}

/** From a `start` to its `finish`. */
export interface Round {
  readonly request: unknown;
  readonly input: InputQueue;
  /** Aborting it ends the round. An `ApiError` as the reason is sent to the client. */
  readonly controller: AbortController;
  readonly startedAt: number;
  /** It was begun by text alone, with the settings of the `start` before it. */
  readonly isResumed: boolean;
}

export interface RoundParts {
  readonly speech: Speech;
  readonly synthesis: Synthesis;
  readonly charges: ChunkCharges;
  readonly caller: Caller;
  readonly model: string | undefined;
  readonly withTimestamps: boolean;
  /** Bit rates that a request of the native API cannot have. */
  readonly bitrates?: Partial<Pick<TtsRequest, "mp3Bitrate" | "opusBitrate">> | undefined;
  /** The round's. */
  readonly trace: Span;
  readonly engineTimeoutMs: number;
  /** Before each chunk of text is spoken. */
  readonly takeSlot: () => Promise<void>;
  /** Everything that came was spoken. */
  readonly onIdle: () => void;
  /** Waits until the audio has left. */
  readonly send: (audio: Uint8Array, fields: TimestampFields | undefined) => Promise<void>;
}

/** How long a small amount of audio waits for more, to fill a frame. */
const FILL_MS = 50;
/** The same after a pause, when the client has no audio left to play. */
const FIRST_FILL_MS = 10;
const SILENCE_MS = 500;
/** After this time without new text, even a small frame is sent. */
const PAUSE_MS = 250;

export function createRound(request: unknown, onTaken: () => void, isResumed = false): Round {
  const input = createInputQueue(onTaken);
  const round = { request, input, controller: new AbortController(), startedAt: performance.now(), isResumed };
  // A start may bring the first text along.
  if (isRecord(request) && typeof request.text === "string") input.push(request.text);
  return round;
}

/** Speaks the round to its end. Throws what went wrong. */
export async function speakRound(round: Round, parts: RoundParts, facts: RequestFacts): Promise<void> {
  const { input, controller } = round;
  const { signal } = controller;
  const { charges, trace } = parts;
  const request = { ...parseLiveStart(parts.model, round.request, parts.synthesis.rules()), ...parts.bitrates };
  trace.set({ format: request.format, sample_rate: request.sampleRate, latency: request.latency });
  // The text of a start is a piece like the others: it may continue with words that can be read.
  const withoutText = { ...request, text: "" };
  const settings = await withSpan(trace, "voice", () => parts.synthesis.prepare(withoutText, parts.caller, signal));
  const beforeChunk = async (text: string): Promise<void> => {
    await parts.takeSlot();
    await withSpan(trace, "credit", () => charges.begin(text));
  };
  const { onIdle } = parts;
  const reading = createReadingCheck(settings.voices);
  const iterator = wholeSamples(
    parts.speech.speakLive({ ...settings, trace }, checked(input, reading), signal, { beforeChunk, onIdle }),
    sampleBytesOf(request.format),
  );
  const frames = createAudioFramer(parts.withTimestamps ? createTimestamps() : undefined);
  const measure = createAudioMeter(request, facts);
  facts.audioSeconds = 0;
  let sentAt = Number.NEGATIVE_INFINITY;
  const sendAll = async (pieces: readonly AudioFrame[]): Promise<void> => {
    for (const { audio, fields } of pieces) {
      await parts.send(audio, fields);
      sentAt = performance.now();
      // Measured from the first text, which may arrive long after `start`.
      if (audio.length > 0) facts.firstAudioMs ??= Math.round(sentAt - (input.startedAt ?? round.startedAt));
    }
  };
  try {
    let fillUntil = 0;
    for (;;) {
      const step = iterator.next();
      step.catch(() => {});
      if (!frames.isEmpty && !(await settlesWithin(step, signal, fillUntil - performance.now()))) {
        // A small frame waits for more audio while more must follow.
        const isPause = async () => input.endedAt === undefined && !(await settlesWithin(step, signal, PAUSE_MS));
        if (!frames.isSmall || (await isPause())) await sendAll(frames.flush());
      }
      const { done, value } = await nextPart(step, input, signal, parts.engineTimeoutMs);
      if (done) break;
      measure(value);
      if (value.alignment !== undefined) charges.delivered(value.chunk);
      const now = performance.now();
      if (frames.isEmpty) fillUntil = now + (now - sentAt > SILENCE_MS ? FIRST_FILL_MS : FILL_MS);
      await sendAll(frames.push(value));
    }
    if (signal.aborted) throw stoppedError(signal);
    await sendAll(frames.flush());
    reading.assert();
    await charges.end("done");
  } catch (error) {
    await charges.end(signal.aborted ? "stopped" : "failed");
    throw error;
  } finally {
    facts.credits = charges.charged;
    facts.characters = input.characters;
    input.close();
    controller.abort();
    iterator.return(undefined).catch(() => {});
  }
}

async function* checked(input: InputQueue, reading: ReadingCheck): AsyncGenerator<LiveInput> {
  for await (const entry of input) {
    if ("text" in entry) reading.add(entry.text);
    yield entry;
  }
}

/** Text may take long to arrive. Once it has ended, the engine has a timeout. */
async function nextPart(
  step: Promise<IteratorResult<SpeechPart, undefined>>,
  input: InputQueue,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<IteratorResult<SpeechPart, undefined>> {
  const waitingSince = performance.now();
  for (;;) {
    const waited = input.endedAt === undefined ? 0 : performance.now() - Math.max(waitingSince, input.endedAt);
    if (waited >= timeoutMs) throw noAudioError(timeoutMs);
    if (await settlesWithin(step, signal, timeoutMs - waited)) return step;
  }
}

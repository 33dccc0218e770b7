import type { RecognizedWord } from "../../engines/recognizer.ts";
import { chunkSeconds, sampleRate } from "../../engines/silero/chunks.ts";
import type { VoiceState } from "../../engines/silero/silero.ts";
import { SpeechError } from "../../errors.ts";
import { createChannel } from "../../lib/channel.ts";
import { joinSignals } from "../../lib/join-signals.ts";
import { noSpan, roundMs } from "../../lib/tracing.ts";
import type { Listening, ListeningEvent, ListeningRequest } from "../../listening.ts";
import type { RecognitionJob, RecognitionResult } from "../jobs.ts";
import { runJob } from "../run-jobs.ts";
import { createAgreement } from "./agreement.ts";
import { decodeWindow, knownTokens } from "./decode-window.ts";
import { createLanguageFinder } from "./language-finder.ts";
import type { ListenerParts } from "./listener-parts.ts";
import { createPace } from "./pace.ts";
import { createSampleBuffer } from "./sample-buffer.ts";
import { textEvent } from "./segment-text.ts";
import { createSpeechTracker, type TrackedSpeech } from "./speech-tracker.ts";
import { createTurnEnding, DEFAULT_TURN_END } from "./turn-end.ts";

/** Audio around the speech that is decoded with it: words start and end quietly. */
const EDGE_SECONDS = 0.2;
/** A silence of this length may be the end of a turn: the words before it are decoded. */
const PAUSE_SECONDS = 0.128;
/** After a silence of this length, nobody goes on with the last word. */
const LASTING_SECONDS = 0.4;
/** A longer segment ends at the next pause. */
const LONG_SECONDS = 12;
/** A longer one without any pause ends between two words. */
const MAX_SECONDS = 24;
/** Speech that has to be new since the last revision, which costs more than another decoding after a pause. */
const REVISION_SECONDS = 2;
/** Words that end this long before the end of the audio are whole. */
const WHOLE_WORD_SECONDS = 1;
/** Shorter audio is not decoded while it grows, nor is its language looked for. */
const MIN_SECONDS = 0.7;
const MIN_LANGUAGE_SECONDS = 1.6;
/** Chunks of voice activity detection in one job. */
const MAX_CHUNKS = 32;
/** With more audio or events waiting, the client should not be read. */
const FULL_SECONDS = 4;
const FULL_EVENTS = 256;
/** Decoding of a stream that failed this often in a row is given up. */
const MAX_FAILURES = 3;

const toSample = (seconds: number): number => Math.round(seconds * sampleRate);

type DecodingKind = "growing" | "pause";

/** A part of a turn. */
interface Segment {
  readonly number: number;
  from: number;
  /** The end of the speech that a decoding after a pause has covered. */
  pausedAt: number | undefined;
  /** The end of the speech that a revision has covered. */
  revisedAt: number;
}

/** Recognizes one stream while it comes in. Ends with its signal. */
export function createListener(request: ListeningRequest, parts: ListenerParts, signal: AbortSignal): Listening {
  const { workers, decoder } = parts;
  const { turnEnd = DEFAULT_TURN_END, partials = true, trace = noSpan } = request;
  const language = createLanguageFinder(parts.assign, request.language);
  const buffer = createSampleBuffer();
  const tracker = createSpeechTracker(chunkSeconds);
  const pace = createPace(parts.share, parts.now);
  const ending = createTurnEnding(turnEnd);
  let unread = 0;
  const events = createChannel<ListeningEvent>(
    () => unread--,
    () => stop(),
  );
  const stopped = new AbortController();
  const ended = AbortSignal.any([signal, stopped.signal]);
  /** Samples that voice activity detection has seen. */
  let followed = 0;
  let voice: VoiceState | undefined;
  let isFollowing = false;
  let hasMore = false;
  let marks: { readonly at: number; readonly isEnd: boolean }[] = [];
  /** The position up to which everything is decoded now. */
  let flushing: number | undefined;
  let isEnded = false;
  /** Speech before this time belongs to a turn that is over. */
  let earliest = 0;
  let segments = 0;
  let segment: Segment | undefined;
  let agreement = createAgreement();
  /** The words of the segment before, if it belongs to the same turn. */
  let earlier: readonly RecognizedWord[] = [];
  /** Of the last decoding. */
  let sentenceEnd: number | undefined;
  let decoding: Promise<void> | undefined;
  /** Ends the decoding of growing audio that is running. */
  let growing: AbortController | undefined;
  let failures = 0;
  let shown = "";
  let turn = trace;
  let busyMs = 0;
  let decodes = 0;
  let accounted = 0;

  function emit(event: ListeningEvent): void {
    unread++;
    events.push(event);
  }

  function stop(): void {
    if (stopped.signal.aborted) return;
    stopped.abort(new SpeechError("closed", "the stream has ended"));
    decoder.close();
    parts.onEnd();
  }

  function fail(error: unknown): void {
    events.fail(signal.aborted ? signal.reason : error);
    stop();
  }

  /** One at a time: detects speech in what has come, and acts on it. */
  async function follow(): Promise<void> {
    // What comes while it runs may be missed by its last step.
    hasMore = true;
    if (isFollowing || ended.aborted) return;
    isFollowing = true;
    try {
      while (hasMore && !ended.aborted) {
        hasMore = false;
        if (await advance()) hasMore = true;
      }
    } catch (error) {
      fail(error);
    } finally {
      isFollowing = false;
    }
  }

  /** Whether there may be more to do. */
  async function advance(): Promise<boolean> {
    ended.throwIfAborted();
    const [mark] = marks;
    const limit = mark?.at ?? buffer.end;
    const chunkSamples = toSample(chunkSeconds);
    const chunks = Math.min(MAX_CHUNKS, Math.floor((limit - followed) / chunkSamples));
    if (chunks <= 0) {
      if (!mark) return false;
      marks = marks.slice(1);
      await reach(mark);
      return !mark.isEnd;
    }
    const samples = buffer.slice(followed, followed + chunks * chunkSamples);
    const result = await run({ type: "follow-speech", samples, state: voice }, "followed");
    voice = result.state;
    for (let chunk = 0; chunk < chunks; chunk++) {
      const before = tracker.speech;
      tracker.add(result.probabilities[chunk] ?? 0, result.levels[chunk] ?? 0);
      followed += chunkSamples;
      await step(before);
    }
    buffer.drop(toSample(Math.min(segment?.from ?? tracker.now, tracker.speech?.from ?? tracker.now) - 1));
    account(chunks * chunkSeconds);
    return true;
  }

  /** After each chunk. */
  async function step(before: TrackedSpeech | undefined): Promise<void> {
    const { speech, now } = tracker;
    if (!speech) return;
    segment ??= beginTurn(speech);
    const silence = now - speech.to;
    if (silence >= PAUSE_SECONDS - 1e-9) {
      if (segment.pausedAt !== speech.to) decode(segment, speech, "pause");
      if (ending.mayBeOver(silence)) await decoding;
      const isOver = ending.isOver(silence, { words: agreement.words, sentenceEnd });
      if (segment.pausedAt !== speech.to) return;
      if (isOver) endTurn(speech);
      else if (silence >= LASTING_SECONDS && !decoding) showAll(segment);
      return;
    }
    const isResumed = before !== undefined && segment.pausedAt === before.to && speech.to > before.to;
    if (isResumed) ending.wentOn(now - chunkSeconds - before.to);
    if (isResumed && before.to - segment.from >= LONG_SECONDS) {
      await decoding;
      endSegment(agreement.words, false);
      segment = nextSegment((before.to + now) / 2);
    } else if (now - segment.from >= MAX_SECONDS) await cutBetweenWords(segment, speech);
    // In a silence that becomes a pause it would be ended, after it has delayed the decoding that somebody waits for.
    else if (partials && silence === 0 && speech.to - segment.from >= MIN_SECONDS && !decoding && pace.isDue(now)) {
      decode(segment, speech, "growing");
    }
  }

  function beginTurn(speech: TrackedSpeech): Segment {
    emit({ type: "speech-started", at: roundMs(speech.from) });
    if (segments > 0) ending.wentOn(speech.from - earliest);
    turn = trace.child("turn", {});
    return nextSegment(Math.max(earliest, speech.from - EDGE_SECONDS));
  }

  function nextSegment(from: number): Segment {
    shown = "";
    return { number: segments, from, pausedAt: undefined, revisedAt: from };
  }

  /** Decodes what is not stable yet, after the decoding that is running. */
  function decode(current: Segment, speech: TrackedSpeech, kind: DecodingKind): void {
    if (kind === "pause") {
      current.pausedAt = speech.to;
      // Somebody waits for the text before the pause, which is decoded again now.
      growing?.abort();
    }
    const work = (decoding ?? Promise.resolve()).then(() => attempt(current, speech, kind));
    const settled: Promise<void> = work.finally(() => {
      if (decoding === settled) decoding = undefined;
    });
    decoding = settled;
  }

  /** A job of which the worker was lost has been tried again by the pool, from the same audio. */
  async function attempt(current: Segment, speech: TrackedSpeech, kind: DecodingKind): Promise<void> {
    while (segment === current && !ended.aborted) {
      try {
        await decodeNow(current, speech, kind);
        failures = 0;
        return;
      } catch (error) {
        if (ended.aborted || (kind === "growing" && growing?.signal.aborted)) return;
        failures++;
        if (failures >= MAX_FAILURES) fail(error);
        else if (kind === "growing") return;
      }
    }
  }

  async function decodeNow(current: Segment, speech: TrackedSpeech, kind: DecodingKind): Promise<void> {
    const available = (flushing ?? buffer.end) / sampleRate;
    const to = kind === "growing" ? tracker.now : Math.min(available, speech.to + EDGE_SECONDS);
    const began = pace.begin(to);
    if (language.isOpen) await findLanguage(current, speech, kind, to);
    const { assignment } = language;
    if (!assignment) return;
    const isRevision = kind === "pause" && speech.to - current.revisedAt >= REVISION_SECONDS;
    if (isRevision) current.revisedAt = speech.to;
    const { from, usual, fixedUntil } = decodeWindow({ from: current.from, to }, agreement.stable, kind, isRevision);
    const regions = [{ from: Math.max(from, speech.from), to: speech.to }];
    const span = { from, to, regions, certainty: speech.certainty };
    const job = { type: "transcribe", audio: audioOf(from, to), span, ...assignment, task: "transcribe" } as const;
    const judgesEnd = kind === "pause" && turnEnd.by === "words";
    growing = kind === "growing" ? new AbortController() : undefined;
    const known = knownTokens(from, agreement, { earlier, isRevised: kind === "pause" });
    const live = { live: true, judgesEnd, known } as const;
    const result = await run({ ...job, ...live }, "words", growing?.signal);
    decodes++;
    // Words that are spoken after the pause should not wait for the longer window.
    pace.finished(began, usual);
    if (segment !== current) return;
    sentenceEnd = result.sentenceEnd;
    const growingUntil = kind === "growing" ? to : undefined;
    const revisedFrom = result.isRevised ? from : undefined;
    agreement.add(result.words, { growingUntil, stableWords: result.contextWords, revisedFrom, fixedUntil });
    report(current, assignment.language);
  }

  async function findLanguage(current: Segment, speech: TrackedSpeech, kind: DecodingKind, to: number): Promise<void> {
    const seconds = speech.to - current.from;
    if (kind === "growing" && seconds < MIN_LANGUAGE_SECONDS) return;
    const span = { from: current.from, to, regions: [speech], certainty: speech.certainty };
    const job = { type: "detect-language", audio: audioOf(current.from, to), span, live: true } as const;
    language.add((await run(job, "language")).guesses, seconds);
  }

  function showAll(current: Segment): void {
    if (agreement.shown.length === agreement.words.length) return;
    agreement.showAll();
    if (language.assignment) report(current, language.assignment.language);
  }

  function report(current: Segment, spoken: string): void {
    const { shown: words, fixed } = agreement;
    if (!partials || words.length === 0) return;
    const event = textEvent(current.number, words, spoken);
    const state = `${fixed} ${event.text}`;
    if (state === shown) return;
    shown = state;
    emit({ type: "partial", stable: fixed, ...event });
  }

  /** Speech without a pause: what is surely whole is final. */
  async function cutBetweenWords(current: Segment, speech: TrackedSpeech): Promise<void> {
    await decoding;
    decode(current, speech, "growing");
    await decoding;
    const count = agreement.words.findLastIndex(({ end }) => end <= tracker.now - WHOLE_WORD_SECONDS) + 1;
    const words = agreement.words.slice(0, count);
    const from = words.at(-1)?.end ?? tracker.now - WHOLE_WORD_SECONDS;
    const rest = agreement;
    rest.cut(count);
    endSegment(words, false);
    agreement = rest;
    segment = nextSegment(from);
  }

  function endTurn(speech: TrackedSpeech): void {
    emit({ type: "speech-stopped", at: roundMs(speech.to) });
    endSegment(agreement.words, true);
    turn.set({ busy_ms: roundMs(busyMs), decodings: decodes });
    turn.end();
    [turn, decodes, earliest] = [trace, 0, speech.to];
    tracker.reset();
    pace.reset();
  }

  function endSegment(words: readonly RecognizedWord[], endsTurn: boolean): void {
    const { assignment } = language;
    if (segment && assignment && words.length > 0) {
      emit({ type: "final", endsTurn, ...textEvent(segment.number, words, assignment.language) });
      segments++;
    }
    earlier = endsTurn ? [] : words;
    segment = undefined;
    agreement = createAgreement();
  }

  /** A flush or the end: what was said until here is a turn. */
  async function reach({ at, isEnd }: { readonly at: number; readonly isEnd: boolean }): Promise<void> {
    const { speech } = tracker;
    flushing = at;
    if (speech && segment) {
      await decoding;
      if (segment.pausedAt !== speech.to) {
        decode(segment, speech, "pause");
        await decoding;
      }
      endTurn(speech);
    }
    flushing = undefined;
    earliest = at / sampleRate;
    account(0, true);
    if (isEnd) {
      events.end();
      stop();
    } else emit({ type: "flushed", at: roundMs(at / sampleRate) });
  }

  function audioOf(from: number, to: number) {
    return { samples: buffer.slice(toSample(from), toSample(to)), from };
  }

  function run<T extends RecognitionResult["type"]>(job: RecognitionJob, type: T, until?: AbortSignal) {
    const joined = until && joinSignals(ended, until);
    return runJob(workers, job, type, joined?.signal ?? ended, (report) => {
      if (job.type === "prepare") return;
      busyMs += report.busyMs;
      pace.used(report.busyMs);
    }).finally(() => joined?.release());
  }

  function account(audioSeconds: number, isLast = false): void {
    accounted += audioSeconds;
    if (accounted < 1 && !isLast) return;
    parts.onCost({ engine: language.assignment?.engine, busySeconds: busyMs / 1000, audioSeconds: accounted });
    [accounted, busyMs] = [0, 0];
  }

  function mark(isEnd: boolean): void {
    if (isEnded) return;
    isEnded = isEnd;
    if (isEnd) buffer.push(decoder.end());
    const last = marks.at(-1);
    if (last?.at === buffer.end && !isEnd) return;
    marks.push({ at: buffer.end, isEnd });
    void follow();
  }

  const prepare = { type: "prepare", engine: (language.assignment ?? parts.assign("en"))?.engine, live: true } as const;
  // One for each worker. Without it the first words would wait until the models are loaded.
  for (let count = 0; count < workers.count; count++) run(prepare, "prepared").catch(() => {});

  signal.addEventListener("abort", () => fail(signal.reason), { once: true, signal: stopped.signal });
  return {
    push(frame) {
      if (isEnded || ended.aborted) return;
      buffer.push(decoder.push(frame));
      void follow();
    },
    flush: () => mark(false),
    end: () => mark(true),
    get seconds() {
      return buffer.end / sampleRate;
    },
    get isFull() {
      return buffer.end - followed > FULL_SECONDS * sampleRate || unread > FULL_EVENTS || marks.length > FULL_EVENTS;
    },
    [Symbol.asyncIterator]: () => events[Symbol.asyncIterator](),
  };
}

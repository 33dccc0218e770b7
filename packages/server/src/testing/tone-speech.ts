import { wavHeader } from "@parlance/protocol";
import {
  type ChunkAlignment,
  type Speech,
  SpeechError,
  type SpeechPart,
  type SpeechRequest,
  type SpeechSettings,
  type Voice,
} from "@parlance/speech";

/**
 * A Speech that returns a sine tone instead of speech. For load tests and tests of HTTP that control exactly when audio
 * comes, how much, and when it fails. It proves nothing about speech, which is tested with the real engines, and
 * supports only pcm and wav.
 */
export interface ToneSpeech extends Speech {
  /** All jobs so far, with their state. */
  readonly jobs: ToneJob[];
}

export interface ToneJob {
  /** In a live round, the text received so far. */
  request: SpeechRequest;
  readonly signal: AbortSignal;
  parts: number;
  ended: boolean;
}

export interface ToneOptions {
  /** Parts per text of any length; an empty text has none. */
  readonly parts?: number;
  readonly samplesPerPart?: number;
  /** Each part speaks its share of the text, instead of all of it. */
  readonly splitText?: boolean;
  /** Awaited before each part. */
  readonly before?: (part: number, signal: AbortSignal) => Promise<void> | void;
  readonly voices?: readonly Voice[];
}

export const TONE_VOICES: readonly Voice[] = [
  voice("0".repeat(31), "1", "tone-one", "piper"),
  voice("0".repeat(31), "2", "tone-two", "piper"),
  voice("0".repeat(31), "3", "tone-three", "kokoro"),
];

export function createToneSpeech(options: ToneOptions = {}): ToneSpeech {
  const { parts = 3, samplesPerPart = 1600, splitText = false, before = () => {}, voices = TONE_VOICES } = options;
  const jobs: ToneJob[] = [];

  type Synthesize = (text: string) => AsyncGenerator<SpeechPart>;
  async function* speakJob(
    request: SpeechRequest,
    signal: AbortSignal,
    body: (synthesize: Synthesize, job: ToneJob) => AsyncGenerator<SpeechPart>,
  ): AsyncGenerator<SpeechPart> {
    const job: ToneJob = { request, signal, parts: 0, ended: false };
    jobs.push(job);
    try {
      yield* header(request);
      const seconds = samplesPerPart / request.output.sampleRate;
      const synthesize: Synthesize = async function* (text) {
        const part = job.parts;
        if (signal.aborted) return;
        await before(part, signal);
        if (signal.aborted) return;
        job.parts += 1;
        const bytes = tone(request.output.sampleRate, part * samplesPerPart, samplesPerPart);
        yield { bytes, chunk: part, alignment: alignmentOf(text, part * seconds, seconds) };
      };
      for await (const part of body(synthesize, job)) {
        if (signal.aborted) return;
        yield part;
      }
    } finally {
      job.ended = true;
    }
  }

  return {
    jobs,
    voices: () => voices,
    findVoice: (reference) => voices.find((each) => each.id === reference || each.slug === reference),
    defaultVoice: (engine) => voices.find((each) => engine === undefined || each.engine === engine),
    waitForCapacity: async () => {},
    async *speak(request, signal) {
      yield* speakJob(request, signal, async function* (synthesize) {
        const { text } = request;
        const edge = (part: number): number => Math.round((text.length * part) / parts);
        for (let part = 0; text !== "" && part < parts; part += 1) {
          yield* synthesize(splitText ? text.slice(edge(part), edge(part + 1)) : text);
        }
      });
    },
    /** One part per sentence, when it is complete or at a flush or the end. */
    async *speakLive(settings, input, signal, { beforeChunk, onIdle } = {}) {
      yield* speakJob({ ...settings, text: "" }, signal, async function* (sayNow, job) {
        const synthesize: Synthesize = async function* (sentence) {
          await beforeChunk?.(sentence);
          yield* sayNow(sentence);
        };
        let waiting = "";
        for await (const piece of input) {
          if ("text" in piece) {
            waiting += piece.text;
            job.request = { ...job.request, text: job.request.text + piece.text };
          }
          const [ready = ""] = "flush" in piece ? [waiting] : (/^.*[.!?](?:\s+|$)/s.exec(waiting) ?? []);
          waiting = waiting.slice(ready.length);
          for (const sentence of sentences(ready)) yield* synthesize(sentence);
          if (waiting === "") onIdle?.();
        }
        for (const sentence of sentences(waiting)) yield* synthesize(sentence);
      });
    },
    refresh: async () => {},
    workers: () => [],
    queued: () => [],
    capacityUsed: () => 0,
    close: async () => {},
  };
}

/** Short parts, of which every seventh fails. */
export function createUnreliableSpeech(): ToneSpeech {
  return createToneSpeech({
    samplesPerPart: 200,
    before: (part) => {
      if (part % 7 === 6) throw new SpeechError("failed", "now and then an engine fails");
    },
  });
}

function* header({ output }: SpeechSettings): Generator<SpeechPart> {
  if (output.format === "wav") yield { bytes: wavHeader({ rate: output.sampleRate, width: 2, channels: 1 }), chunk: 0 };
  else if (output.format !== "pcm") throw new SpeechError("failed", "the tone has no encoder");
}

function sentences(text: string): readonly string[] {
  return text.match(/.+?(?:[.!?](?:\s+|$)|$)/gs) ?? [];
}

/** All words have the same duration. */
function alignmentOf(text: string, offset: number, duration: number): ChunkAlignment {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  const each = duration / Math.max(1, words.length);
  const segments = words.map((word, index) => ({ text: word, start: index * each, end: (index + 1) * each }));
  return { text, segments, offset, duration };
}

function tone(sampleRate: number, from: number, count: number): Uint8Array {
  const bytes = Buffer.alloc(count * 2);
  for (let i = 0; i < count; i += 1) {
    bytes.writeInt16LE(Math.round(Math.sin(((from + i) * 2 * Math.PI * 440) / sampleRate) * 12_000), i * 2);
  }
  return bytes;
}

function voice(zeros: string, digit: string, slug: string, engine: Voice["engine"]): Voice {
  return {
    id: zeros + digit,
    slug,
    title: slug,
    description: "A tone",
    engine,
    language: "en-US",
    gender: "female",
  };
}

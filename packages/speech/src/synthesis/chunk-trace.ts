import { createHash } from "node:crypto";
import type { JobReport } from "../pool/job-report.ts";
import { traceJob } from "../pool/job-span.ts";
import type { SpeechSettings, SpokenVoice } from "../speech.ts";
import type { SpeechChunk } from "../text/index.ts";
import { createTally, noSpan, type Span, type Tally, workClock } from "../tracing.ts";

/** What is done for one chunk of text. */
export interface ChunkTrace {
  readonly encoding: Tally;
  readonly aligning: Tally;
  /** The worker is done with it. */
  spoke(report: JobReport, voice: SpokenVoice, audioSeconds: number): void;
  end(): void;
}

export function traceChunk(settings: SpeechSettings, chunk: SpeechChunk, index: number): ChunkTrace {
  const { trace = noSpan, output } = settings;
  const encoding = createTally(trace, "encode", { chunk: index, format: output.format });
  const aligning = createTally(trace, "alignment", { chunk: index, words: chunk.words.length });
  return {
    encoding,
    aligning,
    spoke(report, voice, audioSeconds) {
      if (trace === noSpan) return;
      traceJob(trace, "inference", report, {
        chunk: index,
        engine: voice.engine,
        voice: voiceMark(voice.id),
        characters: charactersOf(chunk),
        audio_seconds: Math.round(audioSeconds * 1000) / 1000,
      });
    },
    end() {
      aligning.end();
      encoding.end();
    },
  };
}

/** The same chunks; each says how long it took to find and to read. */
export function* traceReading(chunks: Iterable<SpeechChunk>, trace: Span): Generator<SpeechChunk> {
  const iterator = chunks[Symbol.iterator]();
  for (let index = 0; ; index++) {
    const from = workClock();
    const { done, value } = iterator.next();
    if (done) return;
    trace.child("text", { chunk: index, characters: charactersOf(value) }, from).end();
    yield value;
  }
}

export function charactersOf({ text }: SpeechChunk): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** Tells voices apart without saying which they are: ids of people's own voices open them to whoever has a key. */
function voiceMark(id: string): string {
  return createHash("sha256").update(id).digest("hex").slice(0, 16);
}

import { createHash } from "node:crypto";
import { createStepSpan, noSpan, type StepSpan } from "../lib/tracing.ts";
import type { JobReport } from "../pool/job-report.ts";
import { traceJob } from "../pool/job-span.ts";
import type { SpeechSettings, SpeechVoice } from "../speech.ts";
import type { SpeechChunk } from "../text/index.ts";

/** The spans of one chunk of text. */
export interface ChunkTrace {
  readonly encoding: StepSpan;
  readonly aligning: StepSpan;
  /** Called when the worker is done with the chunk. */
  synthesized(report: JobReport, voice: SpeechVoice, audioSeconds: number): void;
  end(): void;
}

export function traceChunk(settings: SpeechSettings, chunk: SpeechChunk, index: number): ChunkTrace {
  const { trace = noSpan, output } = settings;
  const encoding = createStepSpan(trace, "encode", { chunk: index, format: output.format });
  const aligning = createStepSpan(trace, "alignment", { chunk: index, words: chunk.words.length });
  return {
    encoding,
    aligning,
    synthesized(report, voice, audioSeconds) {
      if (trace === noSpan) return;
      traceJob(trace, "inference", report, {
        chunk: index,
        engine: voice.engine,
        voice: voiceHash(voice.id),
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

export function charactersOf({ text }: SpeechChunk): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** Distinguishes voices without the id: a voice can be used by anyone who knows its id. */
function voiceHash(id: string): string {
  return createHash("sha256").update(id).digest("hex").slice(0, 16);
}

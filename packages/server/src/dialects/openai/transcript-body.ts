import { deflateSync } from "node:zlib";
import { toSrt, toVtt } from "@parlance/protocol";
import type { SlowFormat } from "../../http/slow-response.ts";
import type { RecordingResult } from "../../services/speech/transcription.ts";
import type { TranscriptOptions } from "./transcript-fields.ts";

interface TextFormat extends SlowFormat {
  readonly toText: (result: RecordingResult) => string;
}

/** Readers of subtitles ignore empty lines before the first one. */
const PLAIN = { type: "text/plain; charset=utf-8", blank: "\n" };

/** The forms of a transcript that are not JSON. */
export const TEXT_FORMATS: Readonly<Partial<Record<TranscriptOptions["format"], TextFormat>>> = {
  text: { ...PLAIN, toText: ({ text }) => `${text}\n` },
  srt: { ...PLAIN, toText: ({ segments }) => toSrt(segments) },
  vtt: { ...PLAIN, opening: "WEBVTT\n", toText: ({ segments }) => toVtt(segments) },
};

/** The transcript in one of the forms that are JSON. */
export function jsonBody(result: RecordingResult, options: TranscriptOptions): object {
  if (options.format === "verbose_json") return verboseBody(result, options);
  if (options.format === "diarized_json") return diarizedBody(result);
  return { text: result.text, usage: usageOf(result) };
}

function verboseBody(result: RecordingResult, { recording: { task = "transcribe" }, hasSegments }: TranscriptOptions) {
  return {
    task,
    language: task === "translate" ? "english" : (result.language?.toLowerCase() ?? "unknown"),
    duration: result.duration,
    text: result.text,
    ...(hasSegments ? { segments: result.segments.map(toSegment) } : {}),
    ...(result.words === undefined ? {} : { words: result.words.map(toWord) }),
    usage: usageOf(result),
  };
}

function diarizedBody(result: RecordingResult) {
  const { duration, text, segments } = result;
  return { task: "transcribe", duration, text, segments: segments.map(toDiarizedSegment), usage: usageOf(result) };
}

/** A part that one person speaks; also an event of a stream. */
export function toDiarizedSegment({ text, start, end, speaker = "A" }: Segment, index: number) {
  return { type: "transcript.text.segment", id: `seg_${index}`, start, end, text, speaker };
}

function usageOf({ duration }: RecordingResult) {
  return { type: "duration", seconds: Math.ceil(duration) };
}

type Segment = RecordingResult["segments"][number];

/** The engines do not tell tokens and probabilities of a segment: those fields are empty. */
function toSegment({ text, start, end }: Segment, id: number) {
  const bytes = Buffer.from(text);
  return {
    id,
    seek: Math.round(start * 100),
    start,
    end,
    // With the space that separates it from the one before, as Whisper writes it.
    text: ` ${text}`,
    tokens: [],
    temperature: 0,
    avg_logprob: 0,
    compression_ratio: Math.round((bytes.length / deflateSync(bytes).length) * 1000) / 1000,
    no_speech_prob: 0,
  };
}

/** A word without the punctuation around it. */
function toWord({ text, start, end }: Segment) {
  return { word: text.replace(/^\p{P}+|\p{P}+$/gu, "") || text, start, end };
}

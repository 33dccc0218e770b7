import {
  type AsrRules,
  checkAsrRequest,
  DEFAULT_ASR_MODEL,
  LIMITS,
  parseShape,
  RECOGNIZER_MODELS,
  withoutAbsent,
} from "@parlance/protocol";
import { REFERENCE_SECONDS } from "@parlance/speech";
import { z } from "zod";
import type { Upload } from "../../http/uploads/upload-rules.ts";
import type { RecordingRequest } from "../../services/speech/transcription.ts";
import { recognizerModel } from "../model-choice.ts";
import { KEYWORDS_DESCRIPTION, recognitionHints, textList } from "../recognition-hints.ts";
import { MIN_SPEECH_SECONDS } from "../recording-rules.ts";
import { invalid, listedValue } from "./values.ts";

const TRANSCRIPTION_FORMATS = ["json", "text", "srt", "verbose_json", "vtt", "diarized_json"] as const;
const TRANSLATION_FORMATS = ["json", "text", "srt", "verbose_json", "vtt"] as const;
const GRANULARITIES = ["segment", "word"] as const;
export type TranscriptFormat = (typeof TRANSCRIPTION_FORMATS)[number];

const file = z.unknown().meta({
  type: "string",
  contentMediaType: "application/octet-stream",
  maxLength: LIMITS.asrFileBytes,
  description: `The recording, in any common container and codec. ${MIN_SPEECH_SECONDS} s to ${LIMITS.asrSeconds.max / 60} min.`,
});
const common = {
  model: z
    .string()
    .optional()
    .meta({
      default: DEFAULT_ASR_MODEL,
      description: `${RECOGNIZER_MODELS.map((name) => `\`${name}\``).join(" and ")} name an engine. Every other name, such as \`whisper-1\`, leaves the choice to the language.`,
    }),
  prompt: z.string().optional().meta({
    description:
      "Text before the recording, or in its style. Only recognizers that use hints read it, from its end as far as they can.",
  }),
  response_format: z
    .string()
    .optional()
    .meta({ enum: [...TRANSLATION_FORMATS], default: "json", description: "The form of the transcript." }),
  temperature: z.string().optional().meta({ description: "From 0 to 1. Checked, no effect here." }),
};
const transcription = z.object({
  ...common,
  language: z.string().optional().meta({ description: "ISO 639-1 code. Detected when left out." }),
  timestamp_granularities: textList.optional().meta({
    description: "Times in `verbose_json`: `segment`, `word` or both.",
  }),
  stream: z.string().optional().meta({ description: "`true`: events with the text while it is recognized." }),
  keywords: textList.optional().meta({ description: KEYWORDS_DESCRIPTION }),
  response_format: common.response_format.meta({
    enum: [...TRANSCRIPTION_FORMATS],
    description: "The form of the transcript. `diarized_json` adds speaker diarization.",
  }),
  known_speaker_names: textList
    .optional()
    .meta({ description: "With `diarized_json`: names of people who may speak." }),
});

/** The bodies as OpenAPI shows them. */
export const transcriptionBody = z.object({
  file,
  ...transcription.shape,
  known_speaker_references: textList.optional().meta({
    description: `A recording of each of them, as a data URL. At most ${LIMITS.asrReferences.count} of ${REFERENCE_SECONDS.min} to ${REFERENCE_SECONDS.max} s.`,
  }),
});
export const translationBody = z.object({ file, ...common });

export interface TranscriptOptions {
  readonly recording: RecordingRequest;
  /** The names of the people whose recordings came with the request. */
  readonly knownSpeakers: readonly string[];
  readonly format: TranscriptFormat;
  readonly hasSegments: boolean;
  readonly stream: boolean;
}

export function readTranscriptFields(
  upload: Upload,
  rules: AsrRules,
  task: "transcribe" | "translate",
): TranscriptOptions {
  const given = parseShape(transcription, withoutAbsent(upload.fields), "body", upload.issues);
  const formats = task === "translate" ? TRANSLATION_FORMATS : TRANSCRIPTION_FORMATS;
  const format: TranscriptFormat = listedValue("response_format", given.response_format, [...formats]);
  const diarized = format === "diarized_json";
  checkTemperature(given.temperature);
  const granularities = [given.timestamp_granularities ?? []]
    .flat()
    .map((each) => listedValue("timestamp_granularities", each, GRANULARITIES));
  // OpenAI translates without a given language.
  const language = task === "translate" ? undefined : given.language;
  const model = recognizerModel(given.model ?? "", rules.models);
  const native = checkAsrRequest(model, { language, speakers: diarized }, rules);
  const recording = {
    ...native,
    ...recognitionHints("keywords", given.keywords, given.prompt),
    task,
    minSeconds: MIN_SPEECH_SECONDS,
    wordTimes: format === "verbose_json" && granularities.includes("word"),
  };
  return {
    recording,
    knownSpeakers: diarized ? [given.known_speaker_names ?? []].flat() : [],
    format,
    hasSegments: granularities.length === 0 || granularities.includes("segment"),
    stream: task === "transcribe" && given.stream?.toLowerCase() === "true",
  };
}

function checkTemperature(given: string | undefined): void {
  const value = Number(given ?? 0);
  if (!(value >= 0 && value <= 1)) throw invalid("temperature", given, "it must be from 0 to 1");
}

import {
  type AsrResult,
  type AsrSegment,
  apiError,
  checkAsrRequest,
  describeValue,
  LIMITS,
  parseShape,
  withoutAbsent,
} from "@parlance/protocol";
import type { FastifyInstance } from "fastify";
import { acceptUploads } from "../../http/uploads/receive-upload.ts";
import { documented } from "../../openapi/route-docs.ts";
import { languageCode } from "../language-code.ts";
import { recognizerModel } from "../model-choice.ts";
import { recognitionHints } from "../recognition-hints.ts";
import { MIN_SPEECH_SECONDS, recordingRules } from "../recording-rules.ts";
import { sendTranscript, type TranscriptionParts } from "../transcribe-upload.ts";
import { TRANSCRIPT_DOCS } from "./docs.ts";
import { transcriptFields } from "./transcript-fields.ts";

const RULES = recordingRules("file", LIMITS.asrFileBytes, LIMITS.asrBodyBytes);

/** Recordings elsewhere: this server sends no requests. */
const ELSEWHERE = ["cloud_storage_url", "source_url", "webhook_id"];

/** Audio without a header, which the decoder cannot tell from other bytes. */
const RAW_FORMAT = "pcm_s16le_16";

/** POST /v1/speech-to-text. Its bodies are written to disk. */
export async function transcriptRoute(scope: FastifyInstance, parts: TranscriptionParts): Promise<void> {
  await acceptUploads(scope);
  const config = { operation: "asr" as const, slowBody: true, accepts: "multipart/form-data" };
  scope.post("/v1/speech-to-text", documented(TRANSCRIPT_DOCS, { config }), async (request, reply) => {
    let granularity = "word";
    return sendTranscript(request, reply, parts, {
      rules: RULES,
      read(upload, rules) {
        for (const field of ELSEWHERE) if (field in upload.fields) throw elsewhere(field);
        if (upload.fields.file_format === RAW_FORMAT) throw rawAudio();
        const given = parseShape(transcriptFields, withoutAbsent(upload.fields), "body", upload.issues);
        granularity = given.timestamps_granularity;
        const speakers = given.diarize?.toLowerCase() === "true" && speakersOf(given.num_speakers);
        const options = { language: languageCode(given.language_code), granularity: "word", speakers };
        const native = checkAsrRequest(recognizerModel(given.model_id ?? "", rules.models), options, rules);
        return { ...native, ...recognitionHints("keyterms", given.keyterms), minSeconds: MIN_SPEECH_SECONDS };
      },
      toBody: (transcript) => toTranscript(transcript, granularity),
    });
  });
}

/** Their number, or `true` where it is left to be found. What is not a number is refused with it. */
function speakersOf(given: string | undefined): true | number {
  return given === undefined ? true : Number(given);
}

function rawAudio() {
  const allowed = "send a file with a header, such as WAV";
  return apiError("invalid_value", { field: "file_format", value: describeValue(RAW_FORMAT), allowed });
}

function elsewhere(field: string) {
  return apiError("invalid_value", {
    field,
    value: "an address",
    allowed: "this server sends no requests: upload the recording as file",
  });
}

function toTranscript(result: AsrResult, granularity: string) {
  const { text, segments, duration, language_code: language, speakers } = result;
  return {
    language_code: language ?? "en",
    language_probability: language === null ? 0 : 1,
    text,
    words: granularity === "none" ? [] : segments.flatMap(toWords(granularity === "character", speakers)),
    audio_duration_secs: duration,
  };
}

/** A word, after the space between it and the word before. */
function toWords(withCharacters: boolean, speakers: AsrResult["speakers"] = []) {
  const idOf = ({ speaker }: AsrSegment): { readonly speaker_id?: string } => {
    const number = speakers.findIndex((each) => each.speaker === speaker);
    return number < 0 ? {} : { speaker_id: `speaker_${number}` };
  };
  return (segment: AsrSegment, index: number, all: readonly AsrSegment[]) => {
    const { text, start, end } = segment;
    const previous = all[index - 1];
    const word = {
      text,
      start,
      end,
      type: "word",
      logprob: 0,
      ...idOf(segment),
      ...(withCharacters ? { characters: charactersOf({ text, start, end }) } : {}),
    };
    if (previous === undefined) return [word];
    return [{ text: " ", start: previous.end, end: start, type: "spacing", logprob: 0, ...idOf(previous) }, word];
  };
}

function charactersOf({ text, start, end }: AsrSegment) {
  const characters = Array.from(text);
  const timeAt = (index: number): number =>
    Math.round((start + ((end - start) * index) / characters.length) * 1000) / 1000;
  return characters.map((character, index) => ({ text: character, start: timeAt(index), end: timeAt(index + 1) }));
}

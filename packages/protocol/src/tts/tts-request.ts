import { checkPronunciations, PRONUNCIATION_LIMITS, type PronunciationList } from "../accounts/pronunciations.ts";
import { VOICE_LIMITS } from "../voices/voice-models.ts";
import { ApiError, apiError, describeValue, shapeError, type ValidationIssue } from "../wire/api-error.ts";
import { countCharacters, LIMITS } from "../wire/limits.ts";
import { isRecord } from "../wire/shape.ts";
import {
  AUDIO_FORMATS,
  type AudioFormatName,
  DEFAULT_FORMAT,
  DEFAULT_LATENCY,
  DEFAULT_MP3_BITRATE,
  FORMAT_RULES,
  isAudioFormat,
  LATENCIES,
  MP3_BITRATES,
  OPUS_BITRATE_AUTO,
  OPUS_BITRATES,
  opusBitsPerSecond,
} from "./formats.ts";
import { type ModelChoice, resolveModel } from "./models.ts";
import { PROSODY_RANGES, type Range, TTS_RANGES } from "./ranges.ts";
import { parseTtsBody, type TtsBody } from "./tts-body.ts";

/** A recording in a request. */
export interface ReferenceRecording {
  readonly audio: Uint8Array;
  /** What is said in it. */
  readonly text?: string | undefined;
}

/** A synthesis request whose every value is allowed, with the defaults filled in. */
export interface TtsRequest {
  readonly model: ModelChoice;
  readonly text: string;
  /** By speaker index; empty, and "" in it, mean the default voice. */
  readonly referenceIds: readonly string[];
  /** By speaker index: reference audio of a voice for this request only, used when no voice is named. */
  readonly references: readonly (readonly ReferenceRecording[])[];
  /** BCP 47. Undefined: it is found for each sentence. Which languages there are depends on the voice. */
  readonly language?: string | undefined;
  /** How words are spoken. Whether the phonemes can be read is not checked yet. */
  readonly pronunciations?: PronunciationList | undefined;
  readonly format: AudioFormatName;
  readonly sampleRate: number;
  /** kbit/s */
  readonly mp3Bitrate: number;
  /** bit/s */
  readonly opusBitrate: number | "auto";
  readonly latency: "balanced" | "normal";
  readonly chunkLength: number;
  readonly minChunkLength: number;
  readonly normalize: boolean;
  readonly speed: number;
  readonly volume: number;
  readonly normalizeLoudness: boolean;
  readonly temperature: number;
  readonly topP: number;
  /** Undefined: random. */
  readonly seed: number | undefined;
}

export interface TtsRules {
  readonly maxTextCharacters: number;
  /** The model names to list when another one is requested. */
  readonly models: readonly string[];
  /** Used when the model is missing or unknown. Left out: those requests are refused. */
  readonly defaultModel?: string | undefined;
  /** The range of the speed, where it is not that of the native API. */
  readonly speed?: Range | undefined;
}

const MODEL_MISSING: ValidationIssue = {
  loc: ["model"],
  type: "missing",
  msg: "Header required. The operator can set PARLANCE_DEFAULT_MODEL for clients that do not send it",
  in: "header",
};

/** Shape first (422 with everything that is wrong), then values in the order of the fields (400, the first one). */
export function parseTtsRequest(modelHeader: string | undefined, body: unknown, rules: TtsRules): TtsRequest {
  checkCounts(body);
  const shaped = shapeResult(() => parseTtsBody(body));
  const modelName = modelHeader === undefined || modelHeader === "" ? rules.defaultModel : modelHeader;
  if (modelName === undefined) throw shapeError([MODEL_MISSING, ...(shaped.error?.issues ?? [])]);
  if (shaped.error !== undefined) throw shaped.error;
  const model = findModel(modelName, rules);
  if (model === undefined) {
    throw apiError("unknown_model", { value: describeValue(modelName), allowed: rules.models.join(", ") });
  }
  return checkValues(model, shaped.value, rules);
}

/** The model of this name, or else the default of the rules, if they have one. */
export function findModel(name: string, { models, defaultModel = name }: TtsRules): ModelChoice | undefined {
  const found = [name, defaultModel].find((each) => models.includes(each));
  return found === undefined ? undefined : resolveModel(found);
}

/** Checked before the shape: describing thousands of invalid elements would take seconds. */
function checkCounts(body: unknown): void {
  if (!isRecord(body)) return;
  const { reference_id: ids, references, pronunciations } = body;
  if (isRecord(pronunciations) && Object.keys(pronunciations).length > PRONUNCIATION_LIMITS.words) {
    throw invalid(
      "pronunciations",
      `${Object.keys(pronunciations).length} words`,
      `at most ${PRONUNCIATION_LIMITS.words} are allowed`,
    );
  }
  if (Array.isArray(ids) && ids.length > LIMITS.speakers) {
    throw invalid("reference_id", `${ids.length} voices`, `at most ${LIMITS.speakers} are allowed`);
  }
  if (!Array.isArray(references)) return;
  const count = references.reduce<number>((sum, each) => sum + (Array.isArray(each) ? each.length : 1), 0);
  if (count > VOICE_LIMITS.files) {
    throw invalid("references", `${count} recordings`, `at most ${VOICE_LIMITS.files} are allowed`);
  }
  if (references.length > LIMITS.speakers) {
    throw invalid("references", `${references.length} speakers`, `at most ${LIMITS.speakers} are allowed`);
  }
}

type ShapeResult<Value> =
  | { readonly value: Value; readonly error?: undefined }
  | { readonly value?: undefined; readonly error: ApiError };

function shapeResult<Value>(parse: () => Value): ShapeResult<Value> {
  try {
    return { value: parse() };
  } catch (error) {
    if (error instanceof ApiError) return { error };
    throw error;
  }
}

function checkValues(model: ModelChoice, body: TtsBody, rules: TtsRules): TtsRequest {
  const length = countCharacters(body.text);
  if (length > rules.maxTextCharacters) throw apiError("text_too_long", { length, limit: rules.maxTextCharacters });
  const referenceIds = body.reference_id === undefined ? [] : [body.reference_id].flat();
  const format = body.format ?? DEFAULT_FORMAT;
  if (!isAudioFormat(format)) throw invalid("format", format, listed(AUDIO_FORMATS));
  const { sampleRates, defaultSampleRate } = FORMAT_RULES[format];
  return {
    model,
    text: body.text,
    referenceIds,
    references: bySpeaker(body.references ?? []),
    language: checkLanguage(body.language),
    pronunciations: body.pronunciations && checkPronunciations(body.pronunciations),
    format,
    sampleRate: listedValue(
      "sample_rate",
      body.sample_rate ?? defaultSampleRate,
      sampleRates,
      ` with format ${format}`,
    ),
    mp3Bitrate: listedValue("mp3_bitrate", body.mp3_bitrate ?? DEFAULT_MP3_BITRATE, MP3_BITRATES),
    opusBitrate:
      format === "opus"
        ? opusBitsPerSecond(listedValue("opus_bitrate", body.opus_bitrate ?? OPUS_BITRATE_AUTO, OPUS_BITRATES))
        : "auto",
    latency: checkLatency(body.latency ?? DEFAULT_LATENCY),
    chunkLength: inRange("chunk_length", body.chunk_length, TTS_RANGES.chunk_length),
    minChunkLength: inRange("min_chunk_length", body.min_chunk_length, TTS_RANGES.min_chunk_length),
    normalize: body.normalize ?? true,
    speed: inRange("prosody.speed", body.prosody?.speed, rules.speed ?? PROSODY_RANGES.speed),
    volume: inRange("prosody.volume", body.prosody?.volume, PROSODY_RANGES.volume),
    normalizeLoudness: body.prosody?.normalize_loudness ?? false,
    temperature: inRange("temperature", body.temperature, TTS_RANGES.temperature),
    topP: inRange("top_p", body.top_p, TTS_RANGES.top_p),
    seed: checkSeed(body.seed),
  };
}

function bySpeaker(
  references: readonly ReferenceRecording[] | readonly (readonly ReferenceRecording[])[],
): readonly (readonly ReferenceRecording[])[] {
  const speakers: (readonly ReferenceRecording[])[] = [];
  const single: ReferenceRecording[] = [];
  for (const each of references) {
    if ("audio" in each) single.push(each);
    else speakers.push(each);
  }
  return single.length > 0 ? [single] : speakers.some((each) => each.length > 0) ? speakers : [];
}

function checkLanguage(given: string | undefined): string | undefined {
  if (given === undefined || /^[a-z]{2,3}(?:[-_][a-z0-9]{2,8}){0,3}$/i.test(given)) return given;
  throw invalid("language", given, "it must be a code such as en, es or pt-BR");
}

function checkLatency(value: string): "balanced" | "normal" {
  return listedValue<string>("latency", value, LATENCIES) === "normal" ? "normal" : "balanced";
}

function checkSeed(seed: number | undefined): number | undefined {
  if (seed === undefined || Number.isSafeInteger(seed)) return seed;
  throw invalid("seed", seed, `it must be from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`);
}

function inRange(field: string, value: number | undefined, range: Range): number {
  const number = value ?? range.default;
  if (number >= range.min && number <= range.max) return number;
  throw invalid(field, number, `it must be from ${range.min} to ${range.max}`);
}

function listedValue<Value extends string | number>(
  field: string,
  value: Value,
  allowed: readonly Value[],
  suffix = "",
): Value {
  if (allowed.includes(value)) return value;
  throw invalid(field, value, listed(allowed) + suffix);
}

function listed(allowed: readonly (string | number)[]): string {
  return allowed.length === 1 ? `it must be ${allowed[0]}` : `it must be one of ${allowed.join(", ")}`;
}

function invalid(field: string, value: unknown, allowed: string) {
  return apiError("invalid_value", { field, value: describeValue(value), allowed });
}

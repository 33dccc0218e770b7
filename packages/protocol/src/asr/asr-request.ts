import { apiError, describeValue } from "../wire/api-error.ts";
import { LIMITS } from "../wire/limits.ts";
import { type AsrOptions, GRANULARITIES, type Granularity } from "./asr-body.ts";
import { DEFAULT_ASR_MODEL, RECOGNIZER_MODELS, type RecognizerModel } from "./asr-models.ts";

/** Simplified or traditional characters, by their ISO 15924 code. */
export type ChineseScript = "Hans" | "Hant";

/** A transcription request whose every value is allowed, with the defaults filled in. */
export interface AsrRequest {
  /** Undefined: the language determines it. */
  readonly engine: RecognizerModel | undefined;
  /** ISO 639-1. Undefined: detected. */
  readonly language: string | undefined;
  /** How Chinese is written, where the language of the request says so. */
  readonly script?: ChineseScript;
  readonly granularity: Granularity;
  /** Whether the response has segments. */
  readonly timestamps: boolean;
  /** Speaker diarization; without it, there is none. */
  readonly speakers?: AsrSpeakers;
}

export interface AsrSpeakers {
  /** How many people speak. Undefined: found. */
  readonly count: number | undefined;
  /** Ids of voices that may speak. */
  readonly voices: readonly string[];
}

export interface AsrRules {
  /** The model names to list when another one is requested. */
  readonly models: readonly string[];
  /** Another model means the default one. */
  readonly acceptsUnknownModels?: boolean | undefined;
  /** The languages of one engine or of all. */
  languages(engine: RecognizerModel | undefined): readonly string[];
}

/** The first wrong value, in the order of the fields, is a 400. */
export function checkAsrRequest(modelHeader: string | undefined, options: AsrOptions, rules: AsrRules): AsrRequest {
  const given = modelHeader === undefined || modelHeader === "" ? DEFAULT_ASR_MODEL : modelHeader;
  const isKnown = rules.models.includes(given);
  const model = isKnown || !rules.acceptsUnknownModels ? given : DEFAULT_ASR_MODEL;
  if (!isKnown && !rules.acceptsUnknownModels) {
    throw apiError("unknown_model", { value: describeValue(model), allowed: rules.models.join(", ") });
  }
  const engine = RECOGNIZER_MODELS.find((name) => name === model);
  return {
    engine,
    language: checkLanguage(options.language, rules.languages(engine)),
    ...scriptOf(options.language),
    granularity: checkGranularity(options.granularity ?? "segment"),
    timestamps: options.ignore_timestamps !== true,
    ...checkSpeakers(options.speakers, [options.known_speakers ?? []].flat()),
  };
}

/** `true`, a number and known voices enable speaker diarization. */
export function checkSpeakers(
  given: boolean | number | undefined,
  voices: readonly string[] = [],
): { readonly speakers?: AsrSpeakers } {
  const { count: max, known } = LIMITS.asrSpeakers;
  const refuse = (field: string, value: unknown, allowed: string) =>
    apiError("invalid_value", { field, value: describeValue(value), allowed });
  if (voices.length > known) throw refuse("known_speakers", voices.length, `at most ${known} are allowed`);
  if (typeof given === "number" && !(Number.isInteger(given) && given >= 1 && given <= max)) {
    throw refuse("speakers", given, `it must be true, false or from 1 to ${max}`);
  }
  if (given === undefined ? voices.length === 0 : given === false) return {};
  return { speakers: { count: typeof given === "number" ? given : undefined, voices } };
}

/** Clients send `en`, sometimes `en-US` or `EN`. Recognizers know languages, not regions. */
function checkLanguage(given: string | undefined, languages: readonly string[]): string | undefined {
  if (given === undefined) return undefined;
  const [code = ""] = given.trim().toLowerCase().split(/[-_]/, 1);
  if (languages.includes(code)) return code;
  throw apiError("invalid_value", {
    field: "language",
    value: describeValue(given),
    allowed: `it must be one of ${[...languages].sort().join(", ")}`,
  });
}

/** The script of `zh-Hant`, or of the region in `zh-TW`. `zh` alone leaves it open. */
function scriptOf(given = ""): { readonly script?: ChineseScript } {
  const [language, ...rest] = given.trim().toLowerCase().split(/[-_]/);
  if (language !== "zh" || rest.length === 0) return {};
  try {
    return { script: new Intl.Locale([language, ...rest].join("-")).maximize().script === "Hant" ? "Hant" : "Hans" };
  } catch {
    return {};
  }
}

function checkGranularity(given: string): Granularity {
  const known = GRANULARITIES.find((name) => name === given);
  if (known !== undefined) return known;
  throw apiError("invalid_value", {
    field: "granularity",
    value: describeValue(given),
    allowed: `it must be one of ${GRANULARITIES.join(", ")}`,
  });
}

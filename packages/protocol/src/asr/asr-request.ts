import { apiError, describeValue } from "../wire/api-error.ts";
import { type AsrOptions, GRANULARITIES, type Granularity } from "./asr-body.ts";
import { DEFAULT_ASR_MODEL, RECOGNIZER_MODELS, type RecognizerModel } from "./asr-models.ts";

/** A transcription request whose every value is allowed, with the defaults filled in. */
export interface AsrRequest {
  /** Undefined: the language determines it. */
  readonly engine: RecognizerModel | undefined;
  /** ISO 639-1. Undefined: detected. */
  readonly language: string | undefined;
  readonly granularity: Granularity;
  /** Whether the response has segments. */
  readonly timestamps: boolean;
}

export interface AsrRules {
  /** The model names to list when another one is requested. */
  readonly models: readonly string[];
  /** The languages of one engine or of all. */
  languages(engine: RecognizerModel | undefined): readonly string[];
}

/** The first wrong value, in the order of the fields, is a 400. */
export function checkAsrRequest(modelHeader: string | undefined, options: AsrOptions, rules: AsrRules): AsrRequest {
  const model = modelHeader === undefined || modelHeader === "" ? DEFAULT_ASR_MODEL : modelHeader;
  if (!rules.models.includes(model)) {
    throw apiError("unknown_model", { value: describeValue(model), allowed: rules.models.join(", ") });
  }
  const engine = RECOGNIZER_MODELS.find((name) => name === model);
  return {
    engine,
    language: checkLanguage(options.language, rules.languages(engine)),
    granularity: checkGranularity(options.granularity ?? "segment"),
    timestamps: options.ignore_timestamps !== true,
  };
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

function checkGranularity(given: string): Granularity {
  const known = GRANULARITIES.find((name) => name === given);
  if (known !== undefined) return known;
  throw apiError("invalid_value", {
    field: "granularity",
    value: describeValue(given),
    allowed: `it must be one of ${GRANULARITIES.join(", ")}`,
  });
}

import { z } from "zod";
import { apiError, describeValue, shapeError } from "../wire/api-error.ts";
import { countCharacters } from "../wire/limits.ts";
import { integer as integerField, text } from "../wire/record-fields.ts";
import { parseShape, withoutAbsent } from "../wire/shape.ts";

/** The only model of voice designs. */
export const VOICE_DESIGN_MODEL = "voice-design-1";

const LENGTHS = { instruction: 2000, reference_text: 150 } as const;
const RANGES = {
  n: { min: 1, max: 4, default: 2 },
  speed: { min: 0, max: 3, default: 1 },
  num_step: { min: 1, max: 128, default: 32 },
  guidance_scale: { min: 0, max: Number.MAX_VALUE, default: 2 },
  instruct_guidance_scale: { min: 0, max: Number.MAX_VALUE, default: 0 },
} as const;
/** What the time stretcher can do. Other speeds that the API allows are brought into this range. */
const SPEEDS = { min: 0.5, max: 2 };

// The schema checks shape only (422); `parseVoiceDesign` checks the values (400).
const integer = () =>
  z.number().refine(Number.isSafeInteger, { error: "Expected an integer", params: { type: "int_type" } });

export const voiceDesignBody = z.strictObject({
  instruction: z.string().meta({
    minLength: 1,
    maxLength: LENGTHS.instruction,
    description: "A description of the voice: sex, age, pitch, accent, pace and mood. Other words have no effect.",
  }),
  reference_text: z.string().optional().meta({
    maxLength: LENGTHS.reference_text,
    description: "What the previews say. Left out: a sentence in the language of the voice.",
  }),
  language: z.string().optional().meta({ description: "BCP 47. Left out: as the description says, or English." }),
  n: integer()
    .optional()
    .meta({ type: "integer", minimum: 1, maximum: 4, default: 2, description: "How many previews." }),
  speed: z.number().optional().meta({
    exclusiveMinimum: 0,
    maximum: 3,
    default: 1,
    description: "Multiplied with the pace of the description. At least 0.5 and at most 2 take effect.",
  }),
  num_step: integer()
    .optional()
    .meta({ type: "integer", minimum: 1, maximum: 128, description: "Accepted, no effect here." }),
  guidance_scale: z.number().optional().meta({ minimum: 0, description: "Accepted, no effect here." }),
  instruct_guidance_scale: z.number().optional().meta({ minimum: 0, description: "Accepted, no effect here." }),
  seed: integer()
    .optional()
    .meta({ type: "integer", description: "The same seed and description give the same voices." }),
});

export const voiceDesignResponse = z.object({
  candidates: z
    .array(
      z.object({
        id: text("What the voice is made of. It can be used as `reference_id`."),
        index: integerField("From 0."),
        audio_base64: text("A WAV file."),
        sample_rate: integerField("Samples per second of the audio."),
        duration_ms: integerField("Milliseconds of the audio."),
        text: text("What it says."),
        instruct: text("What was understood of the description."),
        language: text("BCP 47."),
      }),
    )
    .meta({ description: "The voices with their previews." }),
});
export type VoiceDesignResponse = z.output<typeof voiceDesignResponse>;

export interface VoiceDesignRequest {
  readonly instruction: string;
  readonly text: string | undefined;
  readonly language: string | undefined;
  readonly count: number;
  readonly speed: number;
  readonly seed: number | undefined;
}

/** `acceptsUnknownModels`: a missing or unknown model means the only one. */
export function parseVoiceDesign(
  model: string | undefined,
  body: unknown,
  { acceptsUnknownModels }: { readonly acceptsUnknownModels: boolean },
): VoiceDesignRequest {
  const parsed = parseShape(voiceDesignBody, withoutAbsent(body ?? {}), "body");
  if ((model === undefined || model === "") && !acceptsUnknownModels) {
    const msg = `Header required: ${VOICE_DESIGN_MODEL}`;
    throw shapeError([{ loc: ["model"], type: "missing", msg, in: "header" }]);
  }
  if (model && model !== VOICE_DESIGN_MODEL && !acceptsUnknownModels) {
    throw apiError("unknown_model", { value: describeValue(model), allowed: VOICE_DESIGN_MODEL });
  }
  for (const field of ["instruction", "reference_text"] as const) {
    const length = countCharacters(parsed[field] ?? "");
    if (length > LENGTHS[field]) throw invalid(field, `${length} characters`, `at most ${LENGTHS[field]} are allowed`);
  }
  for (const [field, { min, max }] of Object.entries(RANGES)) {
    const value = parsed[field as keyof typeof RANGES];
    const isTooSmall = value !== undefined && (field === "speed" ? value <= min : value < min);
    if (value === undefined || !(isTooSmall || value > max)) continue;
    throw invalid(
      field,
      describeValue(value),
      `it must be ${field === "speed" ? "above" : "at least"} ${min} and at most ${max}`,
    );
  }
  return {
    instruction: parsed.instruction,
    text: parsed.reference_text,
    language: parsed.language,
    count: parsed.n ?? RANGES.n.default,
    speed: Math.min(SPEEDS.max, Math.max(SPEEDS.min, parsed.speed ?? 1)),
    seed: parsed.seed,
  };
}

function invalid(field: string, value: string, allowed: string) {
  return apiError("invalid_value", { field, value, allowed });
}

import { z } from "zod";
import { AUDIO_FORMATS, LATENCIES } from "../tts/formats.ts";
import type { SsmlSpeech } from "./speech-text.ts";

/** The content type of a request whose body is an SSML document. */
export const SSML_TYPE = "application/ssml+xml";

/** Names the elements and attributes of the document that had no effect. */
export const SSML_IGNORED_HEADER = "x-ssml-ignored";

const number = (description: string) =>
  z
    .string()
    .refine((value) => value.trim() !== "" && Number.isFinite(Number(value)), { error: "Expected a number" })
    .transform(Number)
    .optional()
    .meta({ type: "number", description });
const flag = (description: string) =>
  z
    .string()
    .refine((value) => value === "true" || value === "false", { error: "Expected true or false" })
    .transform((value) => value === "true")
    .optional()
    .meta({ type: "boolean", description });
const WITH_SSML = "With SSML, which has no other fields.";

/** The fields of a request beside an SSML document. Their values are those of a JSON body. */
export const ssmlQuery = z.object({
  model: z
    .string()
    .optional()
    .meta({ description: `In place of the header \`model\`. ${WITH_SSML}` }),
  reference_id: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .meta({ type: "string", description: `The voice outside of \`<voice>\`. ${WITH_SSML}` }),
  language: z
    .string()
    .optional()
    .meta({ description: `In place of the \`xml:lang\` of \`<speak>\`. ${WITH_SSML}` }),
  format: z
    .string()
    .optional()
    .meta({ enum: [...AUDIO_FORMATS], description: WITH_SSML }),
  sample_rate: number(WITH_SSML),
  mp3_bitrate: number(WITH_SSML),
  opus_bitrate: number(WITH_SSML),
  latency: z
    .string()
    .optional()
    .meta({ enum: [...LATENCIES], description: WITH_SSML }),
  chunk_length: number(WITH_SSML),
  min_chunk_length: number(WITH_SSML),
  normalize: flag(WITH_SSML),
  speed: number(`In place of a \`rate\` that holds for the whole document. ${WITH_SSML}`),
  volume: number(`In place of a \`volume\` that holds for the whole document. ${WITH_SSML}`),
  normalize_loudness: flag(WITH_SSML),
  temperature: number(WITH_SSML),
  top_p: number(WITH_SSML),
  seed: number(WITH_SSML),
});
export type SsmlQuery = z.output<typeof ssmlQuery>;

/** The body of the request that says the same. What the query has is preferred. */
export function ssmlBody(speech: SsmlSpeech, query: Omit<SsmlQuery, "model">): Readonly<Record<string, unknown>> {
  const { reference_id: given, language, speed, volume, normalize_loudness, ...rest } = query;
  const [own = ""] = given === undefined ? [] : [given].flat();
  return {
    ...rest,
    text: speech.text,
    reference_id: speech.voices.length === 0 ? given : speech.voices.map((voice) => (voice === "" ? own : voice)),
    language: language ?? speech.language,
    prosody: { speed: speed ?? speech.speed, volume: volume ?? speech.volume, normalize_loudness },
  };
}

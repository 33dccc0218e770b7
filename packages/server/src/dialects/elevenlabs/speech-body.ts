import { parseShape, parseTtsRequest, type TtsRequest, type TtsRules, withoutAbsent } from "@parlance/protocol";
import { z } from "zod";
import { withDefaultModel } from "../model-choice.ts";
import { DEFAULT_OUTPUT_FORMAT, OUTPUT_FORMATS, parseOutputFormat } from "./output-format.ts";

const ignored = (description: string) =>
  z
    .unknown()
    .optional()
    .meta({ description: `${description} Accepted, no effect here.` });

export const voiceSettings = z.object({
  // The Python client sends null for what is not set.
  speed: z.number().nullish().meta({ description: "The pace; 1.2 is 20 % faster." }),
  stability: ignored("How even the voice is."),
  similarity_boost: ignored("How close to the recordings."),
  style: ignored("How expressive."),
  use_speaker_boost: ignored("More similarity."),
});

export const elevenLabsSpeechBody = z.object({
  text: z.string().meta({ description: "What to say." }),
  model_id: z.string().optional().meta({ description: "A model of this server; any other name means the default." }),
  language_code: z.string().optional().meta({ description: "The language of the text, such as `en`." }),
  voice_settings: voiceSettings.optional().meta({ description: "How the voice speaks, for this request." }),
  seed: z.number().optional().meta({ description: "The same seed gives the same audio." }),
  apply_text_normalization: z
    .enum(["auto", "on", "off"])
    .optional()
    .meta({ description: "`off`: numbers and abbreviations are not spelled out." }),
  previous_text: ignored("The text before."),
  next_text: ignored("The text after."),
});

export const elevenLabsSpeechQuery = z.object({
  output_format: z
    .string()
    .optional()
    .meta({
      enum: [...OUTPUT_FORMATS],
      default: DEFAULT_OUTPUT_FORMAT,
      description: "Format, sample rate and bit rate of the audio.",
    }),
});

type SpeechOptions = Omit<z.output<typeof elevenLabsSpeechBody>, "previous_text" | "next_text">;

/** A request for speech from its path, query and body. */
export function readSpeechRequest(voice: string, query: unknown, body: unknown, rules: TtsRules): TtsRequest {
  const given = parseShape(elevenLabsSpeechBody, withoutAbsent(body, ["text"]), "body");
  const { output_format: name } = parseShape(elevenLabsSpeechQuery, withoutAbsent(query), "query");
  const { bitrates, ...output } = parseOutputFormat(name);
  const native = nativeBody(voice, given, output);
  return { ...parseTtsRequest(given.model_id, native, withDefaultModel(rules)), ...bitrates };
}

/** The same request as a body of the native API. */
export function nativeBody(
  voice: string,
  given: SpeechOptions,
  { format, sampleRate }: { readonly format: string; readonly sampleRate: number },
) {
  return {
    text: given.text,
    reference_id: voice,
    format,
    sample_rate: sampleRate,
    prosody: { speed: given.voice_settings?.speed ?? undefined },
    normalize: given.apply_text_normalization !== "off",
    language: given.language_code,
    seed: given.seed,
  };
}

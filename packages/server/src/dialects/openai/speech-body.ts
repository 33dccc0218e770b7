import {
  AUDIO_FORMATS,
  DEFAULT_MODEL,
  ENGINE_MODELS,
  FORMAT_RULES,
  isAudioFormat,
  LIMITS,
  parseShape,
  parseTtsRequest,
  type TtsRequest,
  type TtsRules,
  withoutAbsent,
} from "@parlance/protocol";
import { z } from "zod";
import { withDefaultModel } from "../model-choice.ts";
import { listedValue } from "./values.ts";

/** Its clients expect this rate of pcm, and play wav at any. Opus and G.711 have one of their own. */
const SAMPLE_RATE = 24_000;
export const SPEED = { min: 0.25, max: 4, default: 1 };
const STREAM_FORMATS = ["audio", "sse"] as const;

/** The shape only: values are checked with those of every other request for speech. */
export const speechBody = z.object({
  input: z.string().meta({ maxLength: LIMITS.textCharacters, description: "What to say." }),
  model: z
    .string()
    .optional()
    .meta({
      default: DEFAULT_MODEL,
      description: `${ENGINE_MODELS.map((name) => `\`${name}\``).join(" and ")} select an engine. Every other name, such as \`tts-1\`, means the default model.`,
    }),
  voice: z
    .union([z.string(), z.object({ id: z.string().meta({ description: "The id of a voice." }) })])
    .optional()
    .meta({
      description:
        "The id or short name of a voice, or a name of OpenAI's such as `alloy`. Left out: the default voice.",
    }),
  response_format: z
    .string()
    .optional()
    .meta({
      enum: [...AUDIO_FORMATS],
      default: "mp3",
      description: `At ${SAMPLE_RATE} Hz; opus at 48000, ulaw and alaw at 8000. \`pcm\` is 16-bit little-endian mono.`,
    }),
  speed: z
    .number()
    .optional()
    .meta({ minimum: SPEED.min, maximum: SPEED.max, default: SPEED.default, description: "How fast to speak." }),
  instructions: z.string().optional().meta({ description: "Accepted, no effect here." }),
  stream_format: z
    .string()
    .optional()
    .meta({ enum: [...STREAM_FORMATS], default: "audio", description: "`sse`: events with the audio in base64." }),
});

export interface SpeechInput {
  readonly ttsRequest: TtsRequest;
  readonly streamFormat: (typeof STREAM_FORMATS)[number];
}

export function readSpeechBody(body: unknown, rules: TtsRules): SpeechInput {
  const given = parseShape(speechBody, withoutAbsent(body, ["input"]), "body");
  const { input: text, voice, response_format: format = "mp3", speed } = given;
  const native = {
    text,
    reference_id: typeof voice === "object" ? voice.id : voice,
    format,
    sample_rate: sampleRateOf(format),
    prosody: { speed },
  };
  return {
    ttsRequest: parseTtsRequest(given.model, native, { ...withDefaultModel(rules), speed: SPEED }),
    streamFormat: listedValue("stream_format", given.stream_format, STREAM_FORMATS),
  };
}

function sampleRateOf(format: string): number | undefined {
  if (!isAudioFormat(format)) return undefined;
  const { sampleRates, defaultSampleRate } = FORMAT_RULES[format];
  return sampleRates.includes(SAMPLE_RATE) ? SAMPLE_RATE : defaultSampleRate;
}

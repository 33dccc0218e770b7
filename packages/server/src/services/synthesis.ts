import { randomInt } from "node:crypto";
import {
  apiError,
  DEFAULT_MODEL,
  describeValue,
  ENGINE_MODELS,
  MODEL_ALIASES,
  type ModelChoice,
  type TtsRequest,
  type TtsRules,
} from "@parlance/protocol";
import type { Speech, SpeechRequest, Voice } from "@parlance/speech";

export interface Synthesis {
  /** What a request may ask for now: engines appear when their models are there. */
  rules(): TtsRules;
  /** Finds the voices. Throws when there is no such voice. */
  prepare(request: TtsRequest): SpeechRequest;
}

export function createSynthesis(speech: Speech, maxTextCharacters: number): Synthesis {
  const models = (): readonly string[] => [
    DEFAULT_MODEL,
    ...MODEL_ALIASES,
    ...ENGINE_MODELS.filter((engine) => speech.defaultVoice(engine) !== undefined),
  ];
  return {
    rules: () => ({ maxTextCharacters, models: models() }),
    prepare: (request) => ({
      text: request.text,
      voices: voicesOf(speech, request),
      output: {
        format: request.format,
        sampleRate: request.sampleRate,
        mp3Bitrate: request.mp3Bitrate,
        opusBitrate: request.opusBitrate,
      },
      latency: request.latency,
      chunkLength: request.chunkLength,
      minChunkLength: request.minChunkLength,
      normalizeText: request.normalize,
      speed: request.speed,
      volumeDb: request.volume,
      normalizeLoudness: request.normalizeLoudness,
      temperature: request.temperature,
      seed: request.seed ?? randomInt(2 ** 32),
    }),
  };
}

function voicesOf(speech: Speech, request: TtsRequest): readonly Voice[] {
  if (request.referenceIds.length > 0) return request.referenceIds.map((id) => voiceNamed(speech, id, request.model));
  const voice = speech.defaultVoice(request.model.engine);
  if (voice === undefined) throw apiError("not_ready", {}, { retryAfterSeconds: 10 });
  return [voice];
}

function voiceNamed(speech: Speech, reference: string, model: ModelChoice): Voice {
  const voice = speech.findVoice(reference);
  if (voice === undefined) {
    const known = speech.voices();
    const some = known.slice(0, 5).map((each) => each.slug);
    throw apiError("unknown_voice", {
      field: "reference_id",
      value: describeValue(reference),
      allowed: `use the id or short name of one of the ${known.length} installed voices, such as ${some.join(", ")}`,
    });
  }
  if (model.engine !== undefined && voice.engine !== model.engine) {
    throw apiError("invalid_value", {
      field: "reference_id",
      value: describeValue(reference),
      allowed: `it is a voice of ${voice.engine} but the model ${model.engine} was asked for`,
    });
  }
  return voice;
}

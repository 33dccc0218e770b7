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
import type { Speech, SpeechRequest, SpeechVoice } from "@parlance/speech";
import type { Caller } from "../identity/keys.ts";
import type { OneOffVoices } from "../voices/one-off-voices.ts";
import type { VoiceUseCounts } from "../voices/use-counts.ts";
import type { Voices } from "../voices/voices.ts";

export interface Synthesis {
  /** The values that a request may have now: engines appear when their models are fetched. */
  rules(): TtsRules;
  /** Resolves the voices. Throws when a voice does not exist or the caller may not use it. */
  prepare(request: TtsRequest, caller: Pick<Caller, "userId">, signal: AbortSignal): Promise<SpeechRequest>;
}

export interface SynthesisParts {
  readonly speech: Speech;
  readonly voices: Pick<Voices, "resolve">;
  readonly oneOffs: OneOffVoices;
  readonly counts: Pick<VoiceUseCounts, "add">;
  readonly maxTextCharacters: number;
  readonly defaultModel?: string | undefined;
}

export function createSynthesis(parts: SynthesisParts): Synthesis {
  const { speech, voices, oneOffs, counts, maxTextCharacters, defaultModel } = parts;
  const models = (): readonly string[] => [
    DEFAULT_MODEL,
    ...MODEL_ALIASES,
    ...ENGINE_MODELS.filter((engine) => speech.defaultVoice(engine) !== undefined),
  ];
  const counted = (spoken: readonly SpeechVoice[]): readonly SpeechVoice[] => {
    for (const id of new Set(spoken.map((voice) => voice.id))) counts.add(id);
    return spoken;
  };
  async function voicesOf(
    { model, referenceIds, references }: TtsRequest,
    caller: Pick<Caller, "userId">,
    signal: AbortSignal,
  ): Promise<readonly SpeechVoice[]> {
    if (referenceIds.length > 0) {
      const found = await Promise.all(referenceIds.map((reference) => voices.resolve(caller, reference)));
      for (const [index, voice] of found.entries()) assertEngine(voice, model, "reference_id", referenceIds[index]);
      return counted(found);
    }
    if (references.length > 0) {
      const found: SpeechVoice[] = [];
      for (const recordings of references) {
        // A speaker without recordings has the default voice.
        const voice = recordings.length > 0 ? await oneOffs.resolve(recordings, signal) : defaultVoice(model);
        assertEngine(voice, model, "references", `${recordings.length} recordings`);
        found.push(voice);
      }
      return found;
    }
    return counted([defaultVoice(model)]);
  }
  function defaultVoice(model: ModelChoice): SpeechVoice {
    const voice = speech.defaultVoice(model.engine);
    if (voice === undefined) {
      throw apiError("not_ready", { missing: "no voice is installed" }, { retryAfterSeconds: 10 });
    }
    return voice;
  }
  return {
    rules: () => ({ maxTextCharacters, models: models(), defaultModel }),
    prepare: async (request, caller, signal) => ({
      text: request.text,
      voices: await voicesOf(request, caller, signal),
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

function assertEngine(voice: SpeechVoice, model: ModelChoice, field: string, given: string | undefined): void {
  if (model.engine === undefined || voice.engine === model.engine) return;
  throw apiError("invalid_value", {
    field,
    value: describeValue(given),
    allowed: `it is a voice of ${voice.engine} but the model ${model.engine} was asked for`,
  });
}

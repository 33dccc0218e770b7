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
import {
  canSpeak,
  type EngineName,
  engineLanguages,
  findEngineLanguage,
  type Speech,
  type SpeechRequest,
  type SpeechVoice,
} from "@parlance/speech";
import type { Caller } from "../identity/keys.ts";
import type { OneOffVoices } from "../voices/one-off-voices.ts";
import type { VoiceUseCounts } from "../voices/use-counts.ts";
import type { Voices } from "../voices/voices.ts";
import { assertSpeakable, type Pronunciations } from "./pronunciations.ts";

export interface Synthesis {
  /** The values that a request may have now: engines appear when their models are fetched. */
  rules(): TtsRules;
  /** Resolves the voices. Throws when a voice does not exist or the caller may not use it. */
  prepare(request: TtsRequest, caller: Pick<Caller, "userId">, signal: AbortSignal): Promise<SpeechRequest>;
}

/** Finds texts that no voice of a request can read. */
export interface ReadingCheck {
  add(piece: string): void;
  /** At the end of the text. */
  assert(): void;
}

export interface SynthesisParts {
  readonly speech: Speech;
  readonly voices: Pick<Voices, "resolve">;
  readonly oneOffs: OneOffVoices;
  readonly pronunciations: Pick<Pronunciations, "of">;
  readonly counts: Pick<VoiceUseCounts, "add">;
  readonly maxTextCharacters: number;
  readonly defaultModel?: string | undefined;
}

export function createSynthesis(parts: SynthesisParts): Synthesis {
  const { speech, voices, oneOffs, pronunciations, counts, maxTextCharacters, defaultModel } = parts;
  const models = (): readonly string[] => [
    DEFAULT_MODEL,
    ...MODEL_ALIASES,
    ...ENGINE_MODELS.filter((engine) => speech.defaultVoice(engine) !== undefined),
  ];
  const counted = (spoken: readonly SpeechVoice[]): readonly SpeechVoice[] => {
    // A designed voice has no record.
    for (const id of new Set(spoken.filter(({ mix }) => mix === undefined).map((voice) => voice.id))) counts.add(id);
    return spoken;
  };
  async function voicesOf(
    { model, referenceIds, references }: TtsRequest,
    caller: Pick<Caller, "userId">,
    signal: AbortSignal,
  ): Promise<readonly SpeechVoice[]> {
    if (referenceIds.length > 0) {
      const found = await Promise.all(
        referenceIds.map((reference) => (reference === "" ? defaultVoice(model) : voices.resolve(caller, reference))),
      );
      for (const [index, voice] of found.entries()) assertEngine(voice, model, "reference_id", referenceIds[index]);
      return counted(found);
    }
    if (references.length > 0) {
      const found: SpeechVoice[] = [];
      for (const recordings of references) {
        // A speaker without recordings has the default voice.
        const voice = recordings.length > 0 ? await oneOffs.resolve(caller, recordings, signal) : defaultVoice(model);
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
    prepare: async (request, caller, signal) => {
      const kept = pronunciations.of(caller.userId);
      const [spoken, ofAccount] = await Promise.all([voicesOf(request, caller, signal), kept]);
      assertLanguage(request, spoken);
      const own = request.pronunciations ?? {};
      assertSpeakable(own);
      const list = { ...ofAccount, ...own };
      const settings = { ...settingsOf(request), voices: spoken };
      return Object.keys(list).length > 0 ? { ...settings, pronunciations: list } : settings;
    },
  };
}

function settingsOf(request: TtsRequest): Omit<SpeechRequest, "voices"> {
  return {
    text: request.text,
    language: request.language,
    voiceByLanguage: request.referenceIds.length === 0 && request.references.length === 0,
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
  };
}

/** Refuses what no voice of the request could say. */
function assertLanguage({ text, language }: TtsRequest, voices: readonly SpeechVoice[]): void {
  for (const engine of enginesOf(voices)) {
    if (language !== undefined && findEngineLanguage(engine, language) === undefined) {
      throw apiError("invalid_value", {
        field: "language",
        value: describeValue(language),
        allowed: `the voices of ${engine} speak ${languagesOf(engine)}`,
      });
    }
    if (!canSpeak(engine, text)) throw unreadable(engine);
  }
}

/** The same for a text that arrives in pieces: it is unreadable when all of its letters are. */
export function createReadingCheck(voices: readonly SpeechVoice[]): ReadingCheck {
  const engines = [...enginesOf(voices)];
  let failed: EngineName | undefined;
  let isReadable = false;
  return {
    add(text) {
      if (isReadable || !/\p{L}/u.test(text)) return;
      const engine = engines.find((name) => !canSpeak(name, text));
      if (engine === undefined) isReadable = true;
      else failed = engine;
    },
    assert() {
      if (!isReadable && failed !== undefined) throw unreadable(failed);
    },
  };
}

const enginesOf = (voices: readonly SpeechVoice[]): ReadonlySet<EngineName> =>
  new Set(voices.map(({ engine }) => engine));

const languagesOf = (engine: EngineName): string =>
  engineLanguages(engine)
    .map(({ tag }) => tag)
    .join(", ");

const unreadable = (engine: EngineName) => apiError("text_unreadable", { engine, allowed: languagesOf(engine) });

function assertEngine(voice: SpeechVoice, model: ModelChoice, field: string, given: string | undefined): void {
  if (model.engine === undefined || voice.engine === model.engine) return;
  throw apiError("invalid_value", {
    field,
    value: describeValue(given),
    allowed: `it is a voice of ${voice.engine} but the request names the model ${model.engine}`,
  });
}

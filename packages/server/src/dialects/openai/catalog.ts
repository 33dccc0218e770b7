import {
  apiError,
  DEFAULT_ASR_MODEL,
  DEFAULT_MODEL,
  describeValue,
  parseVoiceQuery,
  RECOGNIZER_MODELS,
} from "@parlance/protocol";
import type { FastifyInstance } from "fastify";
import { authenticate, authenticateIfGiven } from "../../http/authenticate.ts";
import { documented } from "../../openapi/route-docs.ts";
import type { DialectParts } from "../dialect.ts";
import { CATALOG_DOCS } from "./docs.ts";

/** OpenAI's names. They mean the default model, so that programs that choose from the list find one that they know. */
const SPEECH_NAMES = ["tts-1", "tts-1-hd", "gpt-4o-mini-tts"];
const TRANSCRIPTION_NAMES = ["whisper-1", "gpt-4o-transcribe", "gpt-4o-mini-transcribe"];
/** 2025-01-01: the models have no date of their own. */
const CREATED = 1_735_689_600;
/** Voices of the account in the list, besides the stock voices. */
const MAX_OWN_VOICES = 100;

type CatalogParts = Pick<DialectParts, "identify" | "isCatalogPublic" | "speech" | "synthesis" | "voices">;

/** The lists of models and voices, below each prefix. */
export function catalogRoutes(http: FastifyInstance, prefixes: readonly string[], parts: CatalogParts): void {
  const names = (): readonly string[] => modelNames(parts);
  http.register(async (scope) => {
    authenticate(scope, parts.identify);
    for (const prefix of prefixes) {
      scope.get(`${prefix}/models`, documented(CATALOG_DOCS.models(prefix)), async () => ({
        object: "list",
        data: names().map(toModel),
      }));
      scope.get(`${prefix}/models/:model`, documented(CATALOG_DOCS.model(prefix)), async (request) => {
        const { model } = request.params as { readonly model: string };
        if (!names().includes(model)) throw apiError("model_not_found", { value: describeValue(model) });
        return toModel(model);
      });
    }
  });
  http.register(async (scope) => {
    if (parts.isCatalogPublic) authenticateIfGiven(scope, parts.identify);
    else authenticate(scope, parts.identify);
    for (const prefix of prefixes) {
      scope.get(`${prefix}/audio/models`, documented(CATALOG_DOCS.audioModels(prefix)), async () => ({
        models: names().map((id) => ({ id })),
      }));
      scope.get(`${prefix}/audio/voices`, documented(CATALOG_DOCS.voices(prefix)), async ({ identified }) => {
        const stock = parts.speech.voices().map(({ slug, title }) => ({ id: slug, name: title }));
        const query = { ...parseVoiceQuery({}), self: true, pageSize: MAX_OWN_VOICES };
        const own = identified === undefined ? [] : (await parts.voices.list(identified, query)).views;
        return { voices: [...stock, ...own.map(({ voice }) => ({ id: voice.id, name: voice.title }))] };
      });
    }
  });
}

/** Those that can be used now: engines appear when their models are fetched. */
function modelNames({ synthesis }: Pick<CatalogParts, "synthesis">): readonly string[] {
  const { models } = synthesis.rules();
  return [
    ...new Set([
      DEFAULT_MODEL,
      ...SPEECH_NAMES,
      ...models,
      DEFAULT_ASR_MODEL,
      ...TRANSCRIPTION_NAMES,
      ...RECOGNIZER_MODELS,
    ]),
  ];
}

function toModel(id: string) {
  return { id, object: "model", created: CREATED, owned_by: "parlance" };
}

import { DEFAULT_MODEL } from "@parlance/protocol";
import type { FastifyInstance } from "fastify";
import { authenticate } from "../../http/authenticate.ts";
import { languageName } from "../../lib/language-name.ts";
import { documented } from "../../openapi/route-docs.ts";
import type { DialectParts } from "../dialect.ts";
import { MODEL_DOCS } from "./docs.ts";

/** GET /v1/models with the key header of this dialect. */
export function modelRoutes(http: FastifyInstance, prefix: string, parts: DialectParts): void {
  http.register(async (scope) => {
    authenticate(scope, parts.identify);
    scope.get(`${prefix}/v1/models`, documented(MODEL_DOCS), async () => {
      const { maxTextCharacters } = parts.synthesis.rules();
      const languages = [...new Set(parts.speech.voices().map(({ language }) => language.split("-")[0] ?? language))];
      return [
        {
          model_id: DEFAULT_MODEL,
          name: "Parlance",
          description: "The best engine of this server for the voice",
          can_be_finetuned: false,
          can_do_text_to_speech: true,
          can_do_voice_conversion: false,
          can_use_style: false,
          can_use_speaker_boost: false,
          serves_pro_voices: false,
          token_cost_factor: 1,
          requires_alpha_access: false,
          max_characters_request_free_user: maxTextCharacters,
          max_characters_request_subscribed_user: maxTextCharacters,
          maximum_text_length_per_request: maxTextCharacters,
          languages: languages.map((id) => ({ language_id: id, name: languageName(id) })),
        },
      ];
    });
  });
}

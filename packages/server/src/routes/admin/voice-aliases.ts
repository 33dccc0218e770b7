import { voiceAliasBody, voiceAliasList, voiceAliasQuery } from "@parlance/protocol";
import type { FastifyInstance } from "fastify";
import { authenticateAdmin } from "../../http/authenticate.ts";
import type { Identify } from "../../http/identify.ts";
import { parseBody, parseQuery, SMALL_BODY } from "../../http/request-input.ts";
import { documented } from "../../openapi/route-docs.ts";
import type { Aliases } from "../../services/voices/aliases.ts";

/** Voice ids of other servers, for admins: /admin/voice-aliases. */
export function adminVoiceAliasRoutes(app: FastifyInstance, parts: { aliases: Aliases; identify: Identify }): void {
  const { aliases } = parts;
  const list = async () => ({
    items: (await aliases.list()).map(({ referenceId, voice, source }) => ({
      reference_id: referenceId,
      voice,
      source,
    })),
  });
  app.register(async (scope) => {
    authenticateAdmin(scope, parts.identify);
    scope.get(
      "/admin/voice-aliases",
      documented({ id: "listVoiceAliases", summary: "List the voice aliases", response: voiceAliasList }),
      list,
    );
    scope.put(
      "/admin/voice-aliases",
      documented(
        {
          id: "putVoiceAlias",
          summary: "Add or change a voice alias",
          description:
            "Requests for a voice id that does not exist here are spoken by the voice of its alias. The table wins over `PARLANCE_VOICE_ALIASES`. The response is the whole table.",
          body: { name: "VoiceAlias", schema: voiceAliasBody },
          response: voiceAliasList,
          errors: ["invalid_value", "unknown_voice", "too_many_aliases"],
        },
        SMALL_BODY,
      ),
      async (request) => {
        const body = parseBody(voiceAliasBody, request);
        await aliases.put({ referenceId: body.reference_id, voice: body.voice });
        return list();
      },
    );
    scope.delete(
      "/admin/voice-aliases",
      documented(
        {
          id: "removeVoiceAlias",
          summary: "Remove a voice alias",
          description: "Aliases of `PARLANCE_VOICE_ALIASES` cannot be removed here. The response is the whole table.",
          query: voiceAliasQuery,
          response: voiceAliasList,
          errors: ["unknown_alias"],
        },
        SMALL_BODY,
      ),
      async (request) => {
        await aliases.remove(parseQuery(voiceAliasQuery, request).reference_id);
        return list();
      },
    );
  });
}

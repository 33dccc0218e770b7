import { pronunciationRecord } from "@parlance/protocol";
import type { FastifyInstance } from "fastify";
import { authenticate, callerOf } from "../../http/authenticate.ts";
import type { Identify } from "../../http/identify.ts";
import { parseBody } from "../../http/request-input.ts";
import { documented } from "../../openapi/route-docs.ts";
import type { Pronunciations } from "../../services/speech/pronunciations.ts";

/** A full list in UTF-8 with escapes. */
const LIST_BODY = { bodyLimit: 256 * 1024 };

/** How the caller's account wants words to be spoken: /account/pronunciations. */
export function accountPronunciationRoutes(
  scope: FastifyInstance,
  { pronunciations, identify }: { readonly pronunciations: Pronunciations; readonly identify: Identify },
): void {
  authenticate(scope, identify);

  scope.get(
    "/account/pronunciations",
    documented({ id: "getPronunciations", summary: "Get the list of pronunciations", response: pronunciationRecord }),
    async (request) => ({ pronunciations: await pronunciations.of(callerOf(request).userId) }),
  );
  scope.put(
    "/account/pronunciations",
    documented(
      {
        id: "setPronunciations",
        summary: "Replace the list of pronunciations",
        description: "It applies to all speech of the account. The list of a request is preferred.",
        body: { name: "Pronunciations", schema: pronunciationRecord },
        response: pronunciationRecord,
      },
      LIST_BODY,
    ),
    async (request) => {
      const { pronunciations: list } = parseBody(pronunciationRecord, request);
      return { pronunciations: await pronunciations.put(callerOf(request).userId, list) };
    },
  );
}

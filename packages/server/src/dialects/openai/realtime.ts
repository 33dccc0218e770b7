import type { FastifyInstance } from "fastify";
import { authenticate } from "../../http/authenticate.ts";
import { documented } from "../../openapi/route-docs.ts";
import type { DialectParts } from "../dialect.ts";
import { realtimeDocs } from "./docs.ts";

/** GET /realtime: whether its socket holds conversations. Pages cannot read why a socket is refused. */
export function realtimeRoute(
  http: FastifyInstance,
  prefixes: readonly string[],
  parts: Pick<DialectParts, "identify" | "hasConversations">,
): void {
  http.register(async (scope) => {
    authenticate(scope, parts.identify);
    for (const prefix of prefixes) {
      scope.get(`${prefix}/realtime`, documented(realtimeDocs(prefix)), async () => ({
        object: "realtime",
        modalities: parts.hasConversations ? ["audio", "text"] : [],
      }));
    }
  });
}

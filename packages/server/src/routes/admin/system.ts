import { systemReport } from "@parlance/protocol";
import type { FastifyInstance } from "fastify";
import { authenticateAdmin } from "../../http/authenticate.ts";
import type { Identify } from "../../http/identify.ts";
import { documented } from "../../openapi/route-docs.ts";
import type { System } from "../../services/health/system.ts";

/** GET /admin/system: the state of the server and its settings. */
export function adminSystemRoutes(app: FastifyInstance, parts: { system: System; identify: Identify }): void {
  app.register(async (scope) => {
    authenticateAdmin(scope, parts.identify);
    scope.get(
      "/admin/system",
      documented({ id: "getSystem", summary: "Get the state of the server and its settings", response: systemReport }),
      () => parts.system.report(),
    );
  });
}

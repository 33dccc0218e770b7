import type { FastifyInstance } from "fastify";
import { authenticateAdmin } from "../../http/authenticate.ts";
import type { Identify } from "../../http/identify.ts";
import type { System } from "../../services/health/system.ts";

/** GET /admin/system: how the server is doing, and with which settings. */
export function adminSystemRoutes(app: FastifyInstance, parts: { system: System; identify: Identify }): void {
  app.register(async (scope) => {
    authenticateAdmin(scope, parts.identify);
    scope.get("/admin/system", () => parts.system.report());
  });
}

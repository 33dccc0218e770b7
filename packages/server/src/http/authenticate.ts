import { ApiError, apiError } from "@parlance/protocol";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Identified, Identify } from "./identify.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Set on routes behind `authenticate`. */
    identified: Identified | undefined;
  }
}

/** Identifies the caller before the body is read. For routes without inference: they take no slot. */
export function authenticate(scope: FastifyInstance, identify: Identify): void {
  scope.decorateRequest("identified", undefined);
  scope.addHook("onRequest", async (request) => {
    request.identified = await identify(request.raw);
    request.facts.userId = request.identified.userId;
  });
}

/** The same, but a request without a key and without a session is let through. A wrong key is still refused. */
export function authenticateIfGiven(scope: FastifyInstance, identify: Identify): void {
  scope.decorateRequest("identified", undefined);
  scope.addHook("onRequest", async (request) => {
    try {
      request.identified = await identify(request.raw);
      request.facts.userId = request.identified.userId;
    } catch (error) {
      if (!(error instanceof ApiError && error.code === "missing_api_key")) throw error;
    }
  });
}

/** The same, for admins only. */
export function authenticateAdmin(scope: FastifyInstance, identify: Identify): void {
  authenticate(scope, identify);
  scope.addHook("onRequest", async (request) => assertAdmin(callerOf(request)));
}

export function assertAdmin({ role }: Pick<Identified, "role">): void {
  if (role !== "admin") throw apiError("admin_only", {});
}

/** On a route behind `authenticate`. */
export function callerOf({ identified }: FastifyRequest): Identified {
  if (identified === undefined) throw new Error("the route is not behind authenticate");
  return identified;
}

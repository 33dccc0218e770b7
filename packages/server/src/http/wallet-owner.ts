import { apiError, SELF, shapeError } from "@parlance/protocol";
import type { FastifyRequest } from "fastify";
import { callerOf } from "./authenticate.ts";

/**
 * The owner of the wallet in a path: `self` or no id is the caller; another id is for admins. Throws 422 for what
 * cannot be an id, so that it does not reach the database, and 403.
 */
export function walletOwner(request: FastifyRequest): string {
  const { user_id: id = SELF } = request.params as { readonly user_id?: string };
  const { userId, role } = callerOf(request);
  if (id === SELF || id === userId) return userId;
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(id)) {
    throw shapeError([{ loc: ["user_id"], type: "value_error", msg: "Expected a user's id or self", in: "path" }]);
  }
  if (role !== "admin") throw apiError("forbidden", {});
  return id;
}

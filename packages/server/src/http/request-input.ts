import { apiError, parseShape, withoutAbsent } from "@parlance/protocol";
import type { FastifyRequest } from "fastify";
import type { z } from "zod";

/** A body of a few short fields. */
export const SMALL_BODY = { bodyLimit: 64 * 1024 };

/** The body in its shape. `null` and `""` count as not given. */
export function parseBody<Schema extends z.ZodType>(schema: Schema, request: FastifyRequest): z.output<Schema> {
  return parseShape(schema, withoutAbsent(request.body ?? {}), "body");
}

export function parseQuery<Schema extends z.ZodType>(schema: Schema, request: FastifyRequest): z.output<Schema> {
  return parseShape(schema, withoutAbsent(request.query), "query");
}

/** Ids are hex digits. Anything else is unknown, without a query to the database. */
export function parseId(
  request: FastifyRequest,
  unknown: "unknown_user" | "unknown_key" | "unknown_session" | "unknown_history" | "unknown_project",
): string {
  const { id } = request.params as { readonly id?: unknown };
  if (typeof id === "string" && /^[0-9a-f]{32}$/.test(id)) return id;
  throw apiError(unknown, {});
}

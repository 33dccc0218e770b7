import type { ErrorCode } from "@parlance/protocol";
import type { z } from "zod";
import type { DocumentedRoute } from "./collect-routes.ts";
import { errorResponses, IDENTITY_ERRORS, TOO_SLOW } from "./errors.ts";
import type { RouteDocs } from "./route-docs.ts";
import { jsonSchema, schemaOf } from "./schemas.ts";
import type { JsonSchema, Operation, Parameter, Response } from "./types.ts";

const BODY_ERRORS: readonly ErrorCode[] = [
  "invalid_value",
  "invalid_request",
  "payload_too_large",
  "unsupported_media_type",
];

const PATH_PARAMETERS: Readonly<Record<string, string>> = {
  id: "32 hex digits.",
  hash: "The `audio` of a paragraph: 32 hex digits.",
  user_id: "The id of a user, or `self`. Only admins may use the id of another user.",
  model: "The name of a model.",
  voice_id: "The id of a voice; for speech also the short name of a stock voice, or an alias.",
  trace_id: "The `x-trace-id` of a response: 32 hex digits.",
};

/** The OpenAPI operation of a route. */
export function toOperation({ method, path, docs }: DocumentedRoute, tag: string): Operation {
  const { description, isPublic = false, body, query } = docs;
  const isAdmin = path.startsWith("/admin/");
  const codes: ErrorCode[] = ["internal", ...(docs.errors ?? [])];
  if (!isPublic) codes.push(...IDENTITY_ERRORS);
  if (!isPublic && method !== "get") codes.push("cross_site");
  if (isAdmin) codes.push("admin_only");
  if (body !== undefined) codes.push(...BODY_ERRORS);
  if (query !== undefined) codes.push("invalid_request");
  const parameters = [...pathParameters(path), ...(docs.headers ?? []), ...queryParameters(query)];
  return {
    operationId: docs.id,
    summary: docs.summary,
    ...(description === undefined ? {} : { description }),
    tags: [tag],
    security: isPublic ? [] : [{ bearer: [] }, { session: [] }],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: { $ref: `#/components/requestBodies/${body.name}` } }),
    responses: { ...success(docs), 408: TOO_SLOW, ...errorResponses(codes, docs.errorSchema) },
  };
}

function success(docs: RouteDocs): Readonly<Record<string, Response>> {
  const { response, responses, status = 200, responseHeaders: headers } = docs;
  if (responses !== undefined) return responses;
  if (response === undefined) return { 204: { description: "Done." } };
  const schema: JsonSchema =
    "length" in response ? { type: "array", items: schemaOf(response[0]) } : schemaOf(response);
  const content = { "application/json": { schema } };
  return { [status]: { description: "Success.", ...(headers === undefined ? {} : { headers }), content } };
}

function pathParameters(path: string): readonly Parameter[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    description: PATH_PARAMETERS[name] ?? "",
    schema: { type: "string" },
  }));
}

function queryParameters(query: z.ZodObject | undefined): readonly Parameter[] {
  const { properties = {} } = query === undefined ? {} : jsonSchema(query);
  return Object.entries(properties).map(([name, { description = "", ...schema }]) => ({
    name,
    in: "query",
    required: false,
    description,
    schema,
  }));
}

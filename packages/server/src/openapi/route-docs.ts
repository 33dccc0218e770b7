import type { ErrorCode } from "@parlance/protocol";
import type { RouteShorthandOptions } from "fastify";
import type { z } from "zod";
import type { Parameter, Response } from "./types.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The description of the route for OpenAPI. `none`: a page or a file for browsers. */
    readonly docs?: RouteDocs | "none";
  }
  interface FastifyInstance {
    /** What a hook may answer to all routes of its scope. Set before they are added. */
    readonly routeErrors?: readonly ErrorCode[];
  }
}

/** What OpenAPI says about a route. Its schemas document only: the handler validates. */
export interface RouteDocs {
  /** The `operationId`, unique in the document. */
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  /** Needs neither key nor session. */
  readonly isPublic?: boolean;
  readonly headers?: readonly Parameter[];
  readonly query?: z.ZodObject;
  readonly body?: BodyDocs;
  /** The JSON of the response; in brackets: an array of it. Left out, with `responses`: 204. */
  readonly response?: z.ZodType | readonly [z.ZodType];
  /** 200 unless given. */
  readonly status?: number;
  /** In place of `response`, where it is not JSON. */
  readonly responses?: Readonly<Record<string, Response>>;
  /** Headers of the successful response. */
  readonly responseHeaders?: Response["headers"];
  /** The schema of its errors, where it is not the native one. */
  readonly errorSchema?: "OpenAiError";
  /** Besides those of the key, of the body and of the query. */
  readonly errors?: readonly ErrorCode[];
}

export interface BodyDocs {
  /** The name of the body in the document. */
  readonly name: string;
  readonly schema: z.ZodType;
  /** The content types; JSON unless given. */
  readonly types?: readonly string[];
  /** Content types of a body that is a text with a syntax of its own. */
  readonly textTypes?: readonly string[];
}

/** Options of a route with its description. */
export function documented(docs: RouteDocs, options: RouteShorthandOptions = {}): RouteShorthandOptions {
  return { ...options, config: { ...options.config, docs } };
}

/** Options of a route that the description leaves out. */
export const UNDOCUMENTED = { config: { docs: "none" } } as const;

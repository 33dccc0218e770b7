import { z } from "zod";
import type { JsonSchema, Parameter } from "./types.ts";

/** The fields of a query, each of which may be left out. */
export function queryParameters(query: z.ZodObject): readonly Parameter[] {
  const { properties } = z.toJSONSchema(query, { io: "input", unrepresentable: "any" }) as JsonSchema;
  return Object.entries(properties ?? {}).map(([name, { description = "", ...schema }]) => ({
    name,
    in: "query",
    required: false,
    description,
    schema,
  }));
}

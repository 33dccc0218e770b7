import type { z } from "zod";
import { describeValue, shapeError, type ValidationIssue } from "./api-error.ts";
import { LIMITS } from "./limits.ts";

/** `null` and `""` count as absent: several clients send them for options that are not set. */
export function withoutAbsent(value: unknown, keepEmpty: readonly string[] = []): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).filter(
      ([key, entry]) => entry !== null && entry !== undefined && (entry !== "" || keepEmpty.includes(key)),
    ),
  );
}

/** A plain map, not an array and not bytes. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value);
}

/** Parses, or throws the 422 that lists every field with the wrong shape, after the `issues` that are known already. */
export function parseShape<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  where: NonNullable<ValidationIssue["in"]>,
  issues: readonly ValidationIssue[] = [],
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success && issues.length === 0) return result.data;
  const listed = (result.error?.issues ?? []).slice(0, LIMITS.listedIssues);
  throw shapeError([...issues, ...listed.map((issue) => toIssue(issue, value, where))]);
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "an integer",
  boolean: "true or false",
  array: "an array",
  object: "an object",
};

function toIssue(issue: z.core.$ZodIssue, input: unknown, where: NonNullable<ValidationIssue["in"]>): ValidationIssue {
  const found = at(input, issue.path);
  const loc = issue.path.length === 0 ? [where] : issue.path.map(String);
  if (found === undefined) return { loc, type: "missing", msg: "Field required", in: where };
  if (issue.code === "invalid_type") {
    const expected = TYPE_NAMES[issue.expected] ?? issue.expected;
    return {
      loc,
      type: `${issue.expected}_type`,
      msg: `Expected ${expected}`,
      ctx: `got ${typeName(found)}`,
      in: where,
    };
  }
  if (issue.code === "unrecognized_keys") {
    // The client chose the names: one is enough.
    return { loc: [...loc, describeValue(issue.keys[0])], type: "extra_forbidden", msg: "Unknown field", in: where };
  }
  const type = issue.code === "custom" && typeof issue.params?.type === "string" ? issue.params.type : "value_error";
  // Values of a query are short and no secret, unlike the texts of a body.
  const shown = where === "query" && typeof found === "string" ? describeValue(found) : typeName(found);
  return { loc, type, msg: issue.message, ctx: `got ${shown}`, in: where };
}

function at(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const key of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Readonly<Record<PropertyKey, unknown>>)[key];
  }
  return value;
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (value instanceof Uint8Array) return "bytes";
  if (typeof value === "number") return Number.isFinite(value) ? `the number ${value}` : `${value}`;
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

import { OPERATIONS } from "@parlance/protocol";
import { z } from "zod";
import type { RequestData } from "./trace-records.ts";
import type { TraceFilter } from "./trace-store.ts";

/** Messages between the nodes of a cluster. They come from outside of this process, so they are checked when they arrive. */

/** The last moment that a date can have. */
const MAX_TIME = 8.64e15;
const time = z.number().min(0).max(MAX_TIME);
/** A value that is left out may arrive as null. */
const maybe = <Schema extends z.ZodType>(schema: Schema) => schema.nullish().transform((value) => value ?? undefined);

const filter = z.object({
  userId: maybe(z.string()),
  ok: maybe(z.boolean()),
  operation: maybe(z.enum(OPERATIONS)),
  minMs: maybe(z.number()),
  maxMs: maybe(z.number()),
});

const traceQuestion = z.discriminatedUnion("type", [
  z.object({ type: z.literal("list"), filter, limit: z.int().min(1) }),
  z.object({ type: z.literal("find"), traceId: z.string(), userId: maybe(z.string()) }),
]);

export type TraceQuestion =
  | { readonly type: "list"; readonly filter: TraceFilter; readonly limit: number }
  | { readonly type: "find"; readonly traceId: string; readonly userId: string | undefined };

const span = z.object({
  spanId: z.string(),
  parentId: maybe(z.string()),
  name: z.string(),
  from: time,
  to: time,
  error: maybe(z.string()),
  attributes: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
});

const request = z.object({
  traceId: z.string(),
  spanId: z.string(),
  userId: z.string(),
  route: z.string(),
  operation: z.enum(OPERATIONS),
  from: time,
  to: time,
  status: z.int(),
  ok: z.boolean(),
  firstAudioMs: maybe(z.number()),
  audioSeconds: maybe(z.number()),
  spans: z.array(span),
  droppedSpans: z.int().min(0),
});

/** Undefined for what is no question. */
export function readTraceQuestion(message: unknown): TraceQuestion | undefined {
  return traceQuestion.safeParse(message).data;
}

/** The requests in the answer of a node, at most `max`. Those that cannot be read are left out. */
export function readTraceAnswer(message: unknown, max: number): readonly RequestData[] {
  if (!Array.isArray(message)) return [];
  return message.slice(0, max).flatMap((each: unknown) => request.safeParse(each).data ?? []);
}

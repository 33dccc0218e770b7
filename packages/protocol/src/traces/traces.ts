import { z } from "zod";
import { OPERATIONS } from "../billing/usage-values.ts";
import { text, textOrNull } from "../wire/record-fields.ts";
import { MAX_TRACES_PER_PAGE } from "./trace-values.ts";

const duration = z.number().min(0).meta({ description: "How long it took, in milliseconds." });
const milliseconds = z.coerce.number().min(0).max(86_400_000);

export const tracesQuery = z.object({
  status: z
    .enum(["ok", "error"], { message: "Expected ok or error" })
    .optional()
    .meta({ description: "`error`: only requests that were refused or failed, not those that their client stopped." }),
  operation: z
    .enum(OPERATIONS, { message: `Expected one of ${OPERATIONS.join(", ")}` })
    .optional()
    .meta({ description: "Only this kind of request." }),
  min_ms: milliseconds.optional().meta({ description: "Only requests that took at least this long." }),
  max_ms: milliseconds.optional().meta({ description: "Only requests that took at most this long." }),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(MAX_TRACES_PER_PAGE)
    .optional()
    .meta({ default: 50, description: "Requests in the list, at most." }),
});
export type TracesQuery = z.input<typeof tracesQuery>;

/** A traced request. A trace that is continued by its client may have several. */
export const tracedRequest = z.object({
  trace_id: z.string().meta({ description: "32 hex digits, as in `x-trace-id`." }),
  span_id: z
    .string()
    .meta({ description: "The outermost span of the request; it distinguishes requests of one trace." }),
  started_at: z.string().meta({ description: "ISO 8601" }),
  duration_ms: duration,
  route: z.string().meta({ description: "Method and pattern: `POST /v1/tts`." }),
  operation: z.enum(OPERATIONS).meta({ description: "The kind of request." }),
  status: z.int().meta({ description: "The HTTP status; 101: a socket was opened; 499: the client did not wait." }),
  ok: z.boolean().meta({ description: "The response was successful and complete." }),
  first_audio_ms: z
    .number()
    .min(0)
    .nullable()
    .meta({ description: "Until the first audio was sent; null: there was none." }),
  audio_seconds: z.number().min(0).nullable().meta({ description: "The length of the audio; null: it is not known." }),
});
export type TracedRequest = z.output<typeof tracedRequest>;

export const spanRecord = z.object({
  span_id: text("16 hex digits."),
  parent_id: textOrNull(
    "For the outermost span: the client's span, if it sent one; for a live round: the upgrade; else null.",
  ),
  name: text("The step, such as `edge`."),
  start_ms: z.number().meta({ description: "From the start of the request." }),
  duration_ms: duration,
  error: z.string().nullable().meta({ description: "The error code, or null." }),
  attributes: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
    .meta({ description: "Counts, codes and names of parts." }),
});
export type SpanRecord = z.output<typeof spanRecord>;

export const traceList = z.object({
  items: z.array(tracedRequest).meta({ description: "The newest first." }),
  kept: z.int().meta({ description: "The number of requests that this node keeps at most." }),
});
export type TraceList = z.output<typeof traceList>;

export const traceRecord = z.object({
  trace_id: text("32 hex digits."),
  requests: z
    .array(
      tracedRequest.extend({
        spans: z.array(spanRecord).meta({ description: "Ordered by start; the first is the outermost." }),
        dropped_spans: z
          .int()
          .min(0)
          .meta({ description: "Spans above the limit of one request, which were dropped." }),
      }),
    )
    .meta({ description: "The requests of the trace." }),
});
export type TraceRecord = z.output<typeof traceRecord>;

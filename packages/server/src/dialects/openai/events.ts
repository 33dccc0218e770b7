import { asApiError } from "../../http/errors.ts";
import { openAiErrorBody } from "./error-body.ts";

/** The headers of a response of events. */
export const EVENT_STREAM = { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" };

export function encodeEvent(event: { readonly type: string; readonly [field: string]: unknown }): Uint8Array {
  return Buffer.from(`data: ${JSON.stringify(event)}\n\n`);
}

/** The last event of a response that fails after it has begun. OpenAI's clients throw what is in `error`. */
export function errorEvent(error: unknown): Uint8Array {
  const { status, code, message, issues } = asApiError(error);
  const body = openAiErrorBody({ status, code, message, issues, field: undefined, requestId: undefined });
  return encodeEvent({ type: "error", ...body });
}

import type { ApiError } from "@parlance/protocol";
import type { EndReason, TokenUsage } from "../../../services/conversation/chat.ts";
import { errorOf } from "../live/errors.ts";
import { type Item, itemToWire } from "./items.ts";
import type { AnswerSettings } from "./session-config.ts";

/** Why a response ends before its time. */
export type Cancellation = "turn_detected" | "client_cancelled";

/** How a response has ended. */
export interface ResponseEnd {
  readonly cancelled: Cancellation | undefined;
  readonly fault: ApiError | undefined;
  readonly reason: EndReason | undefined;
  readonly usage: TokenUsage | undefined;
}

/** `end` undefined: it is in progress. */
export function responseToWire(
  id: string,
  { isSpoken, maxTokens }: AnswerSettings,
  metadata: Readonly<Record<string, string>> | null,
  items: readonly Item[],
  end: ResponseEnd | undefined,
): object {
  return {
    object: "realtime.response",
    id,
    ...(end === undefined ? { status: "in_progress", status_details: null } : statusOf(end)),
    output: items.map(itemToWire),
    output_modalities: [isSpoken ? "audio" : "text"],
    max_output_tokens: maxTokens ?? "inf",
    metadata,
    usage: end?.usage === undefined ? null : usageToWire(end.usage),
  };
}

function statusOf({ cancelled, fault, reason }: ResponseEnd): object {
  if (cancelled !== undefined) {
    return { status: "cancelled", status_details: { type: "cancelled", reason: cancelled } };
  }
  if (fault !== undefined) return { status: "failed", status_details: { type: "failed", error: errorOf(fault) } };
  if (reason === undefined || reason === "stop") return { status: "completed", status_details: null };
  const cause = reason === "length" ? "max_output_tokens" : "content_filter";
  return { status: "incomplete", status_details: { type: "incomplete", reason: cause } };
}

/** The tokens of the language model. Speech is not counted in tokens here. */
function usageToWire({ input, output }: TokenUsage): object {
  return {
    total_tokens: input + output,
    input_tokens: input,
    output_tokens: output,
    input_token_details: { text_tokens: input, audio_tokens: 0, image_tokens: 0, cached_tokens: 0 },
    output_token_details: { text_tokens: output, audio_tokens: 0 },
  };
}

import { type ApiError, apiError } from "@parlance/protocol";

/** Neither `reason` nor `cause` may hold what the endpoint has sent: that may quote the conversation. */
export function modelFailure(reason: string, cause?: unknown): ApiError {
  return apiError("language_model_failed", { reason }, { cause, retryAfterSeconds: 5 });
}

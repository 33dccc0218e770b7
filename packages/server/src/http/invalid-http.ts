import type { Socket } from "node:net";
import { newTraceId } from "../telemetry/trace.ts";
import type { CommonHeaders } from "./headers.ts";
import { sendRawResponse } from "./raw-response.ts";

const STATUSES: Readonly<Record<string, readonly [number, string, string]>> = {
  HPE_HEADER_OVERFLOW: [431, "Request Header Fields Too Large", "The request's headers are too large"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "Request Timeout", "The request took too long to arrive"],
};

/** Responds to input that Node cannot parse as HTTP, with an error body as the routes send it. */
export function respondToInvalidHttp(commonHeaders: CommonHeaders) {
  return (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === "ECONNRESET" || socket.destroyed || !socket.writable) return;
    const [status, reason, message] = STATUSES[error.code ?? ""] ?? [
      400,
      "Bad Request",
      "The request is not valid HTTP",
    ];
    sendRawResponse(socket, status, commonHeaders(newTraceId()), { status, message }, reason);
  };
}

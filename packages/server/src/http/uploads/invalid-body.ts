import { ApiError, MessagePackError, shapeError } from "@parlance/protocol";
import { errorCode } from "../../lib/error-code.ts";

/** The 422 for a body as a whole. */
export function invalidBody(type: string, msg: string): ApiError {
  return shapeError([{ loc: ["body"], type, msg, in: "body" }]);
}

/** What the MessagePack reader throws, as the client gets it. */
export function messagePackError(error: unknown): unknown {
  if (!(error instanceof MessagePackError)) return error;
  return invalidBody("msgpack_invalid", `Not valid MessagePack: ${error.message}`);
}

/** What the multipart parser throws, as the client gets it: one of its limits, or a body that is not multipart. */
export function multipartError(error: unknown): unknown {
  if (error instanceof ApiError || !(error instanceof Error)) return error;
  const code = errorCode(error) ?? "";
  if (/^FST_(PARTS|FILES|FIELDS)_LIMIT$/.test(code)) return invalidBody("too_many", "Too many parts");
  if (code !== "" && !code.startsWith("FST_")) return error;
  return invalidBody("multipart_invalid", `Not valid multipart: ${error.message}`);
}

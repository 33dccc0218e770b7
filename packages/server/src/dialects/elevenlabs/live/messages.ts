import { apiError, createJsonBoundsCheck, parseShape } from "@parlance/protocol";
import { z } from "zod";
import { voiceSettings } from "../speech-body.ts";

const BOUNDS = { depth: 8, elements: 500, values: 1000, escapes: 200_000 };

/** A message of a client. Fields that have no meaning here are left out. */
const clientMessage = z.object({
  text: z.string().nullish(),
  context_id: z.string().max(200).nullish(),
  flush: z.boolean().nullish(),
  close_context: z.boolean().nullish(),
  close_socket: z.boolean().nullish(),
  voice_settings: voiceSettings.nullish(),
  /** Of a client that cannot set headers, in its first message. */
  xi_api_key: z.string().max(500).nullish(),
  authorization: z.string().max(500).nullish(),
});
export type ClientMessage = z.output<typeof clientMessage>;

/** Throws `unreadable_frame`, or the 422 that lists what is wrong. */
export function parseMessage(data: Buffer): ClientMessage {
  let value: unknown;
  try {
    const check = createJsonBoundsCheck(BOUNDS);
    check.push(data);
    check.end();
    value = JSON.parse(data.toString("utf8"));
  } catch {
    throw apiError("unreadable_frame", { reason: "it is not JSON, or too large in structure" });
  }
  return parseShape(clientMessage, value, "body");
}

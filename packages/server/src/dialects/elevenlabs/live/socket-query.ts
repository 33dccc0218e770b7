import { z } from "zod";
import { elevenLabsSpeechBody, elevenLabsSpeechQuery } from "../speech-body.ts";

/** The options of a socket, which its address has. */
export const socketQuery = z.object({
  ...elevenLabsSpeechQuery.shape,
  ...elevenLabsSpeechBody.pick({ model_id: true, language_code: true, apply_text_normalization: true }).shape,
});
export type SocketQuery = z.output<typeof socketQuery>;

import { z } from "zod";
import { RECORDING_ERRORS, TRACEPARENT } from "../../openapi/inference.ts";
import type { RouteDocs } from "../../openapi/route-docs.ts";
import { listenQuery } from "./listen-query.ts";

const word = z.object({
  word: z.string(),
  punctuated_word: z.string(),
  start: z.number(),
  end: z.number(),
  confidence: z.number(),
});
const alternative = z.looseObject({ transcript: z.string(), confidence: z.number(), words: z.array(word) });

export const LISTEN_DOCS: RouteDocs = {
  id: "deepgramListen",
  summary: "Speech to text, as clients of Deepgram ask for it",
  description:
    "The body is the recording, in any common format, or raw audio with `encoding` and `sample_rate`. An address in JSON is refused: this server sends no requests.",
  headers: [TRACEPARENT],
  query: listenQuery,
  body: {
    name: "DeepgramRecording",
    schema: z.string().meta({ contentMediaType: "application/octet-stream" }),
    types: ["application/octet-stream", "audio/*"],
  },
  response: z.object({
    metadata: z.looseObject({ request_id: z.string(), duration: z.number(), channels: z.number() }),
    results: z.looseObject({ channels: z.array(z.looseObject({ alternatives: z.array(alternative) })) }),
  }),
  errors: RECORDING_ERRORS,
};

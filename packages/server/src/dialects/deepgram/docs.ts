import { z } from "zod";
import { RECORDING_ERRORS, TRACEPARENT } from "../../openapi/inference.ts";
import type { RouteDocs } from "../../openapi/route-docs.ts";
import { listenQuery } from "./listen-query.ts";

const word = z.object({
  word: z.string().meta({ description: "In lower case, without punctuation." }),
  punctuated_word: z.string().meta({ description: "The word as written." }),
  start: z.number().meta({ description: "Seconds from the start of the audio." }),
  end: z.number().meta({ description: "Seconds from the start of the audio." }),
  confidence: z.number().meta({ description: "Always 1: the recognizers report none." }),
});
const alternative = z.looseObject({
  transcript: z.string().meta({ description: "The text." }),
  confidence: z.number().meta({ description: "1, or 0 without words: the recognizers report none." }),
  words: z.array(word).meta({ description: "The words with their times." }),
});
const channel = z.looseObject({ alternatives: z.array(alternative).meta({ description: "Always one." }) });

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
    metadata: z
      .looseObject({
        request_id: z.string().meta({ description: "The id of the request." }),
        duration: z.number().meta({ description: "Seconds of the audio." }),
        channels: z.number().meta({ description: "Always 1: channels are mixed." }),
      })
      .meta({ description: "About the recording." }),
    results: z
      .looseObject({ channels: z.array(channel).meta({ description: "Always one." }) })
      .meta({ description: "The transcript." }),
  }),
  errors: RECORDING_ERRORS,
};

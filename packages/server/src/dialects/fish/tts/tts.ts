import { encodeTimestampEvent, LIMITS, MESSAGE_PACK_TYPE, parseTtsRequest, SSML_TYPE } from "@parlance/protocol";
import type { FastifyInstance } from "fastify";
import { alignedBytes, createTimestamps } from "../../../http/timestamps.ts";
import { documented, type RouteDocs } from "../../../openapi/route-docs.ts";
import { audioFile } from "../../audio-file.ts";
import { type Rendering, type SpeechResponseParts, sendSpeech } from "../../speech-response.ts";
import { TTS_DOCS, TTS_TIMESTAMPS_DOCS } from "./docs.ts";
import { speechInput } from "./ssml.ts";

const events: Rendering = {
  headers: () => ({ "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" }),
  async *render(parts) {
    const describe = createTimestamps();
    for await (const part of alignedBytes(parts)) {
      const audio = Buffer.from(part.bytes).toString("base64");
      yield Buffer.from(encodeTimestampEvent({ audio_base64: audio, ...describe(part) }));
    }
  },
};

/** Text to speech: POST /v1/tts streams audio, …/stream/with-timestamp streams events with the times of the words. */
export function ttsRoutes(app: FastifyInstance, parts: SpeechResponseParts): void {
  const route = (path: string, docs: RouteDocs, rendering: Rendering): void => {
    const config = { operation: "tts", accepts: `application/json, ${MESSAGE_PACK_TYPE} or ${SSML_TYPE}` } as const;
    const options = documented(docs, { bodyLimit: LIMITS.ttsBodyBytes, config });
    app.post(path, options, async (request, reply) => {
      request.receiving.end();
      const { model, body } = speechInput(request, reply);
      const ttsRequest = parseTtsRequest(model, body, parts.synthesis.rules());
      return sendSpeech(request, reply, parts, ttsRequest, rendering);
    });
  };
  route("/v1/tts", TTS_DOCS, audioFile);
  route("/v1/tts/stream/with-timestamp", TTS_TIMESTAMPS_DOCS, events);
}

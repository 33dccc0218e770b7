import { encodeTimestampEvent, LIMITS, parseTtsRequest } from "@parlance/protocol";
import type { FastifyInstance } from "fastify";
import { alignedBytes, createTimestamps } from "../../../http/timestamps.ts";
import { documented, type RouteDocs } from "../../../openapi/route-docs.ts";
import { audioFile } from "../../audio-file.ts";
import { type Rendering, type SpeechResponseParts, sendSpeech } from "../../speech-response.ts";
import { TTS_DOCS, TTS_TIMESTAMPS_DOCS } from "./docs.ts";

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
    const options = documented(docs, { bodyLimit: LIMITS.ttsBodyBytes, config: { operation: "tts" } as const });
    app.post(path, options, async (request, reply) => {
      request.receiving.end();
      const { model } = request.headers;
      const rules = parts.synthesis.rules();
      const ttsRequest = parseTtsRequest(typeof model === "string" ? model : undefined, request.body, rules);
      return sendSpeech(request, reply, parts, ttsRequest, rendering);
    });
  };
  route("/v1/tts", TTS_DOCS, audioFile);
  route("/v1/tts/stream/with-timestamp", TTS_TIMESTAMPS_DOCS, events);
}

import { LIMITS, type TtsRequest } from "@parlance/protocol";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { documented } from "../../openapi/route-docs.ts";
import { audioFile } from "../audio-file.ts";
import { type Rendering, type SpeechResponseParts, sendSpeech } from "../speech-response.ts";
import { speechDocs } from "./docs.ts";
import { EVENT_STREAM, encodeEvent, errorEvent } from "./events.ts";
import { readSpeechBody } from "./speech-body.ts";
import { speechUsage } from "./usage.ts";

/** POST /audio/speech, below each prefix. */
export function speechRoute(scope: FastifyInstance, prefix: string, parts: SpeechResponseParts): void {
  const options = documented(speechDocs(prefix), {
    bodyLimit: LIMITS.ttsBodyBytes,
    config: { operation: "tts", accepts: "application/json" } as const,
  });
  scope.post(`${prefix}/audio/speech`, options, async (request, reply) => {
    request.receiving.end();
    const { ttsRequest, streamFormat } = readSpeechBody(request.body, parts.synthesis.rules());
    const rendering = streamFormat === "sse" ? audioEvents(ttsRequest, request) : audioFile;
    return sendSpeech(request, reply, parts, ttsRequest, rendering);
  });
}

function audioEvents({ text }: TtsRequest, { facts }: FastifyRequest): Rendering {
  return {
    headers: () => EVENT_STREAM,
    async *render(parts) {
      for await (const { bytes } of parts) {
        if (bytes.length === 0) continue;
        yield encodeEvent({ type: "speech.audio.delta", audio: Buffer.from(bytes).toString("base64") });
      }
      yield encodeEvent({ type: "speech.audio.done", usage: speechUsage(text, facts.audioSeconds ?? 0) });
    },
    errorBytes: errorEvent,
  };
}

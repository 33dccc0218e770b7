import { countCharacters, FORMAT_RULES, LIMITS, parseTtsRequest } from "@parlance/protocol";
import type { Speech } from "@parlance/speech";
import type { FastifyInstance, FastifyReply } from "fastify";
import { openAudioStream } from "../http/audio-stream.ts";
import type { Running } from "../http/running.ts";
import type { Synthesis } from "../services/synthesis.ts";

export interface TtsParts {
  readonly speech: Speech;
  readonly synthesis: Synthesis;
  readonly running: Running;
  readonly timeouts: StreamTimeouts;
}

export interface StreamTimeouts {
  readonly engineTimeoutMs: number;
  readonly readerTimeoutMs: number;
}

/** POST /v1/tts: text in, audio out as it is made. */
export function ttsRoute(app: FastifyInstance, { speech, synthesis, running, timeouts }: TtsParts): void {
  app.post("/v1/tts", { bodyLimit: LIMITS.ttsBodyBytes }, async (request, reply) => {
    const { model } = request.headers;
    const wanted = parseTtsRequest(typeof model === "string" ? model : undefined, request.body, synthesis.rules());
    const spoken = synthesis.prepare(wanted);
    request.facts.characters = countCharacters(wanted.text);

    const controller = stopWhenGone(reply, running);
    const bytesPerSecond = wanted.sampleRate * 2;
    const isPlain = wanted.format === "pcm" || wanted.format === "wav";
    const audio = await openAudioStream(speech.speak(spoken, controller.signal), {
      controller,
      sampleBytes: isPlain ? 2 : 1,
      ...timeouts,
      onEnd(bytes) {
        if (isPlain) request.facts.audioSeconds = Math.round((bytes / bytesPerSecond) * 1000) / 1000;
        request.place?.release();
      },
    });
    reply.type(FORMAT_RULES[wanted.format].contentType);
    // Said outright because Node would give an empty stream a Content-Length; HTTP/1.0 does not know it.
    if (request.raw.httpVersion === "1.1") reply.header("transfer-encoding", "chunked");
    return reply.send(audio);
  });
}

/** A controller that is aborted as soon as nobody reads the answer any more. */
function stopWhenGone(reply: FastifyReply, running: Running): AbortController {
  const controller = new AbortController();
  const done = running.add(controller);
  reply.raw.once("close", () => {
    done();
    controller.abort(new Error("the caller has gone"));
  });
  if (reply.raw.destroyed) controller.abort(new Error("the caller has gone"));
  return controller;
}

import {
  countCharacters,
  encodeTimestampEvent,
  FORMAT_RULES,
  LIMITS,
  MODEL_HEADER,
  parseTtsRequest,
  spokenModel,
  type TtsRequest,
} from "@parlance/protocol";
import { type Speech, type SpeechPart, withSpan } from "@parlance/speech";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { ActiveRequests } from "../../../http/active-requests.ts";
import { closeChargeOnAbort, createSpeechMeter, payerOf } from "../../../http/charging.ts";
import { abortOnDisconnect } from "../../../http/disconnect.ts";
import { openResponseStream } from "../../../http/response-stream.ts";
import { alignedBytes, createTimestamps } from "../../../http/timestamps.ts";
import { sampleBytesOf, wholeSamples } from "../../../http/whole-samples.ts";
import { documented, type RouteDocs } from "../../../openapi/route-docs.ts";
import type { Metering } from "../../../services/billing/metering.ts";
import type { Synthesis } from "../../../services/speech/synthesis.ts";
import { createAudioMeter } from "../../../telemetry/audio-meter.ts";
import { TTS_DOCS, TTS_TIMESTAMPS_DOCS } from "./docs.ts";

export interface TtsParts {
  readonly speech: Speech;
  readonly synthesis: Synthesis;
  readonly metering: Metering;
  readonly activeRequests: ActiveRequests;
  readonly timeouts: StreamTimeouts;
}

export interface StreamTimeouts {
  readonly engineTimeoutMs: number;
  readonly readerTimeoutMs: number;
}

/** How speech is written into a response. */
interface Rendering {
  readonly headers: (ttsRequest: TtsRequest) => Readonly<Record<string, string>>;
  readonly render: (parts: AsyncGenerator<SpeechPart>) => AsyncGenerator<Uint8Array>;
}

const audioFile: Rendering = {
  headers: ({ format }) => ({ "content-type": FORMAT_RULES[format].contentType }),
  async *render(parts) {
    for await (const { bytes } of parts) if (bytes.length > 0) yield bytes;
  },
};

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
export function ttsRoutes(app: FastifyInstance, parts: TtsParts): void {
  const route = (path: string, docs: RouteDocs, rendering: Rendering): void => {
    const options = documented(docs, { bodyLimit: LIMITS.ttsBodyBytes, config: { operation: "tts" } as const });
    app.post(path, options, (request, reply) => respond(request, reply, parts, rendering));
  };
  route("/v1/tts", TTS_DOCS, audioFile);
  route("/v1/tts/stream/with-timestamp", TTS_TIMESTAMPS_DOCS, events);
}

async function respond(
  request: FastifyRequest,
  reply: FastifyReply,
  { speech, synthesis, metering, activeRequests, timeouts }: TtsParts,
  { headers, render }: Rendering,
): Promise<FastifyReply> {
  request.receiving.end();
  const { model } = request.headers;
  const ttsRequest = parseTtsRequest(typeof model === "string" ? model : undefined, request.body, synthesis.rules());
  request.facts.characters = countCharacters(ttsRequest.text);
  request.trace.set({ format: ttsRequest.format, sample_rate: ttsRequest.sampleRate, latency: ttsRequest.latency });

  const controller = abortOnDisconnect(reply, activeRequests);
  const spoken = {
    ...(await withSpan(request.admission, "voice", () =>
      synthesis.prepare(ttsRequest, payerOf(request), controller.signal),
    )),
    trace: request.trace,
  };
  // Before any credit is reserved: an overloaded server refuses many requests.
  speech.requireCapacity(spoken, spoken.text);
  const charge = await withSpan(request.admission, "credit", () =>
    metering.reserve(payerOf(request), {
      traceId: request.id,
      operation: "tts",
      credits: metering.priceOfText(ttsRequest.text),
    }),
  );
  request.admission.end();
  closeChargeOnAbort(charge, controller.signal, request.facts);
  const meter = createSpeechMeter(charge, metering.priceOfText);
  const measure = createAudioMeter(ttsRequest, request.facts, () => reply.elapsedTime);
  async function* counted(): AsyncGenerator<SpeechPart> {
    for await (const part of wholeSamples(speech.speak(spoken, controller.signal), sampleBytesOf(ttsRequest.format))) {
      measure(part);
      meter(part);
      yield part;
    }
  }
  const opening = openResponseStream(render(counted()), {
    controller,
    ...timeouts,
    async onEnd() {
      // The charge is settled before the client has the last byte.
      await Promise.all([charge.settle(), request.slot?.release()]);
    },
    onFault() {
      request.facts.failed = true;
    },
  });
  const stream = await opening.catch(async (error: unknown) => {
    await charge.refund();
    throw error;
  });
  reply.headers({ ...headers(ttsRequest), [MODEL_HEADER]: spokenModel(ttsRequest.model) });
  // Said outright because Node would give an empty stream a Content-Length; HTTP/1.0 does not know it.
  if (request.raw.httpVersion === "1.1") reply.header("transfer-encoding", "chunked");
  return reply.send(stream);
}

import {
  countCharacters,
  encodeTimestampEvent,
  FORMAT_RULES,
  LIMITS,
  parseTtsRequest,
  type TtsRequest,
} from "@parlance/protocol";
import { during, type Speech, type SpeechPart } from "@parlance/speech";
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

/** How speech is written into an answer. */
interface Rendering {
  readonly headers: (wanted: TtsRequest) => Readonly<Record<string, string>>;
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

/** Text in, speech out as it is made: POST /v1/tts as a file, …/stream/with-timestamp as events that know the words. */
export function ttsRoutes(app: FastifyInstance, parts: TtsParts): void {
  const route = (path: string, docs: RouteDocs, rendering: Rendering): void => {
    const options = documented(docs, { bodyLimit: LIMITS.ttsBodyBytes, config: { operation: "tts" } as const });
    app.post(path, options, (request, reply) => answer(request, reply, parts, rendering));
  };
  route("/v1/tts", TTS_DOCS, audioFile);
  route("/v1/tts/stream/with-timestamp", TTS_TIMESTAMPS_DOCS, events);
}

async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  { speech, synthesis, metering, activeRequests, timeouts }: TtsParts,
  { headers, render }: Rendering,
): Promise<FastifyReply> {
  request.receiving.end();
  const { model } = request.headers;
  const wanted = parseTtsRequest(typeof model === "string" ? model : undefined, request.body, synthesis.rules());
  request.facts.characters = countCharacters(wanted.text);
  request.trace.set({ format: wanted.format, sample_rate: wanted.sampleRate, latency: wanted.latency });

  const controller = abortOnDisconnect(reply, activeRequests);
  const spoken = {
    ...(await during(request.admission, "voice", () => synthesis.prepare(wanted, payerOf(request), controller.signal))),
    trace: request.trace,
  };
  // Before anything is written: a full house has many to refuse.
  speech.requireRoom(spoken, spoken.text);
  const charge = await during(request.admission, "credit", () =>
    metering.reserve(payerOf(request), {
      traceId: request.id,
      operation: "tts",
      credits: metering.priceOfText(wanted.text),
    }),
  );
  request.admission.end();
  closeChargeOnAbort(charge, controller.signal, request.facts);
  const meter = createSpeechMeter(charge, metering.priceOfText);
  const measure = createAudioMeter(wanted, request.facts, () => reply.elapsedTime);
  async function* counted(): AsyncGenerator<SpeechPart> {
    for await (const part of wholeSamples(speech.speak(spoken, controller.signal), sampleBytesOf(wanted.format))) {
      measure(part);
      meter(part);
      yield part;
    }
  }
  const opening = openResponseStream(render(counted()), {
    controller,
    ...timeouts,
    async onEnd() {
      // In the books before the caller can know that it has all.
      await Promise.all([charge.settle(), request.place?.release()]);
    },
    onFault() {
      request.facts.failed = true;
    },
  });
  const stream = await opening.catch(async (error: unknown) => {
    await charge.refund();
    throw error;
  });
  reply.headers(headers(wanted));
  // Said outright because Node would give an empty stream a Content-Length; HTTP/1.0 does not know it.
  if (request.raw.httpVersion === "1.1") reply.header("transfer-encoding", "chunked");
  return reply.send(stream);
}

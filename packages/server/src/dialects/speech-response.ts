import { countCharacters, HISTORY_HEADER, MODEL_HEADER, spokenModel, type TtsRequest } from "@parlance/protocol";
import { type Speech, type SpeechPart, withSpan } from "@parlance/speech";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ActiveRequests } from "../http/active-requests.ts";
import { closeChargeOnAbort, createSpeechMeter, payerOf } from "../http/charging.ts";
import { abortOnDisconnect } from "../http/disconnect.ts";
import { recordFault } from "../http/errors.ts";
import { openResponseStream } from "../http/response-stream.ts";
import { sampleBytesOf, wholeSamples } from "../http/whole-samples.ts";
import type { Metering } from "../services/billing/metering.ts";
import type { History } from "../services/history/history.ts";
import type { Synthesis } from "../services/speech/synthesis.ts";
import { createAudioMeter } from "../telemetry/audio-meter.ts";

export interface SpeechResponseParts {
  readonly speech: Speech;
  readonly synthesis: Synthesis;
  readonly metering: Metering;
  readonly activeRequests: ActiveRequests;
  readonly timeouts: StreamTimeouts;
  readonly history: Pick<History, "recordSpeech">;
}

export interface StreamTimeouts {
  readonly engineTimeoutMs: number;
  readonly readerTimeoutMs: number;
  /** How often a client that waits for a transcript gets a sign of it. */
  readonly keepAliveMs?: number;
}

/** How speech is written into a response. */
export interface Rendering {
  readonly headers: (ttsRequest: TtsRequest) => Readonly<Record<string, string>>;
  readonly render: (parts: AsyncGenerator<SpeechPart>) => AsyncGenerator<Uint8Array>;
  /** How a failure in the middle of it is stated. Without it, the connection ends. */
  readonly errorBytes?: (error: unknown) => Uint8Array;
}

/** Speaks the request into the response. For routes behind `admit`, of any dialect. */
export async function sendSpeech(
  request: FastifyRequest,
  reply: FastifyReply,
  { speech, synthesis, metering, activeRequests, timeouts, history }: SpeechResponseParts,
  ttsRequest: TtsRequest,
  { headers, render, errorBytes }: Rendering,
): Promise<FastifyReply> {
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
  await speech.waitForCapacity(spoken, spoken.text, controller.signal);
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
  const recording = history.recordSpeech(payerOf(request), ttsRequest, request.id);
  // Also for a client that stopped: what was made is kept.
  controller.signal.addEventListener("abort", () => void recording?.finish(false), { once: true });
  const measure = createAudioMeter(ttsRequest, request.facts, () => reply.elapsedTime);
  async function* counted(): AsyncGenerator<SpeechPart> {
    for await (const part of wholeSamples(speech.speak(spoken, controller.signal), sampleBytesOf(ttsRequest.format))) {
      measure(part);
      meter(part);
      recording?.add(part);
      yield part;
    }
  }
  const opening = openResponseStream(render(counted()), {
    controller,
    ...timeouts,
    async onEnd() {
      // The charge is settled before the client has the last byte.
      await Promise.all([charge.settle(), request.slot?.release(), recording?.finish(true)]);
    },
    onFault: recordFault(request),
    errorBytes,
  });
  const stream = await opening.catch(async (error: unknown) => {
    await charge.refund();
    throw error;
  });
  reply.headers({ ...headers(ttsRequest), [MODEL_HEADER]: spokenModel(ttsRequest.model) });
  if (recording !== undefined) reply.header(HISTORY_HEADER, recording.id);
  // Said outright because Node would give an empty stream a Content-Length; HTTP/1.0 does not know it.
  if (request.raw.httpVersion === "1.1") reply.header("transfer-encoding", "chunked");
  return reply.send(stream);
}

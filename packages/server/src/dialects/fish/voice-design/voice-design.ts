import { randomInt } from "node:crypto";
import {
  apiError,
  countCharacters,
  describeValue,
  MODEL_HEADER,
  parseVoiceDesign,
  VOICE_DESIGN_MODEL,
  type VoiceDesignRequest,
  type VoiceDesignResponse,
} from "@parlance/protocol";
import { type DesignedVoice, defaultRequest, designVoices, type SpeechRequest, withSpan } from "@parlance/speech";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { closeChargeOnAbort, payerOf } from "../../../http/charging.ts";
import { abortOnDisconnect } from "../../../http/disconnect.ts";
import { SMALL_BODY } from "../../../http/request-input.ts";
import { documented } from "../../../openapi/route-docs.ts";
import { sampleText } from "../../../services/voices/sample-texts.ts";
import type { SpeechResponseParts } from "../../speech-response.ts";
import { VOICE_DESIGN_DOCS } from "./docs.ts";
import { collectWav } from "./preview.ts";

const SAMPLE_RATE = 44_100;
const OUTPUT = { format: "wav", sampleRate: SAMPLE_RATE, mp3Bitrate: 128, opusBitrate: "auto" } as const;

/** POST /v1/voice-design: previews of voices that fit a description. */
export function voiceDesignRoutes(app: FastifyInstance, parts: SpeechResponseParts): void {
  const options = documented(VOICE_DESIGN_DOCS, { ...SMALL_BODY, config: { operation: "tts" } as const });
  app.post("/v1/voice-design", options, (request, reply) => respond(request, reply, parts));
}

async function respond(
  request: FastifyRequest,
  reply: FastifyReply,
  { speech, synthesis, metering, activeRequests, timeouts }: SpeechResponseParts,
): Promise<VoiceDesignResponse> {
  request.receiving.end();
  const { model } = request.headers;
  const design = parseVoiceDesign(typeof model === "string" ? model : undefined, request.body, {
    acceptsUnknownModels: synthesis.rules().defaultModel !== undefined,
  });
  const { signal } = abortOnDisconnect(reply, activeRequests);
  const previews = previewsOf(design, speech.voices());
  const texts = previews.map((preview) => preview.speech.text);
  request.facts.characters = texts.reduce((sum, text) => sum + countCharacters(text), 0);
  request.trace.set({ format: OUTPUT.format, sample_rate: SAMPLE_RATE, candidates: previews.length });
  const [first] = previews;
  if (first) await speech.waitForCapacity(first.speech, texts.join(" "), signal);
  const credits = texts.reduce((sum, text) => sum + metering.priceOfText(text), 0);
  const charge = await withSpan(request.admission, "credit", () =>
    metering.reserve(payerOf(request), { traceId: request.id, operation: "tts", credits }),
  );
  request.admission.end();
  closeChargeOnAbort(charge, signal, request.facts);
  try {
    const candidates: VoiceDesignResponse["candidates"] = [];
    let [audioMs, delivered] = [0, 0];
    // One after the other: previews must not delay speech that is being listened to.
    for (const [index, { designed, speech: spoken }] of previews.entries()) {
      const speaking = speech.speak({ ...spoken, trace: request.trace }, signal);
      const { wav, durationMs } = await collectWav(speaking, SAMPLE_RATE, {
        signal,
        timeoutMs: timeouts.engineTimeoutMs,
      });
      audioMs += durationMs;
      delivered += metering.priceOfText(spoken.text);
      charge.delivered(delivered);
      candidates.push({
        id: designed.voice.id,
        index,
        audio_base64: wav.toString("base64"),
        sample_rate: SAMPLE_RATE,
        duration_ms: durationMs,
        text: spoken.text,
        instruct: designed.understood.join(", "),
        language: design.language ?? designed.language,
      });
    }
    await charge.settle();
    request.facts.audioSeconds = audioMs / 1000;
    reply.header(MODEL_HEADER, VOICE_DESIGN_MODEL);
    return { candidates };
  } finally {
    // No effect after settlement: without previews there is no charge.
    await charge.refund();
    request.facts.credits = charge.charged ?? 0;
  }
}

interface Preview {
  readonly designed: DesignedVoice;
  readonly speech: SpeechRequest;
}

function previewsOf(
  { instruction, language, count, speed, text, seed = randomInt(2 ** 32) }: VoiceDesignRequest,
  voices: Parameters<typeof designVoices>[1],
): readonly Preview[] {
  const designs = designVoices(instruction, voices, { language, count, seed });
  if (designs.length === 0) {
    if (voices.length === 0)
      throw apiError("not_ready", { missing: "no voice is installed" }, { retryAfterSeconds: 10 });
    throw apiError("invalid_value", {
      field: "language",
      value: describeValue(language ?? instruction),
      allowed: `the installed voices speak ${[...new Set(voices.map((voice) => voice.language))].join(", ")}`,
    });
  }
  return designs.map((designed) => {
    const said = text ?? sampleText(designed.language.split("-", 1)[0] ?? "en");
    const changes = { output: OUTPUT, latency: "normal", speed, normalizeLoudness: true, seed: seed >>> 0 } as const;
    return { designed, speech: defaultRequest(said, designed.voice, changes) };
  });
}

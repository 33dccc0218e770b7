import { apiError, countCharacters, isRecord } from "@parlance/protocol";
import { defaultVoiceOf, type Speech } from "@parlance/speech";
import { createChunkCharges } from "../../services/billing/chunk-charges.ts";
import type { Metering } from "../../services/billing/metering.ts";
import type { Synthesis } from "../../services/speech/synthesis.ts";
import { createRound, type Round, speakRound } from "../fish/live/round.ts";
import { createSessionSlot } from "../fish/live/session-slot.ts";
import type { RequestParts, WyomingRequest } from "./request.ts";

export interface SpeechParts extends RequestParts {
  readonly speech: Speech;
  readonly synthesis: Synthesis;
  readonly metering: Metering;
  readonly engineTimeoutMs: number;
}

const AUDIO_FORMAT = { rate: 24_000, width: 2, channels: 1 } as const;

export type SendEvent = (type: string, data?: object, payload?: Uint8Array) => Promise<void>;

/** A text that is being spoken. Its pieces are pushed into `round.input`. */
export function openText(voice: unknown, speech: Pick<Speech, "voices">, onTaken: () => void): Round {
  const reference = voiceReference(voice, speech);
  const request = {
    format: "pcm",
    sample_rate: AUDIO_FORMAT.rate,
    ...(reference === undefined ? {} : { reference_id: reference }),
  };
  return createRound(request, onTaken);
}

/** Throws for a text that is longer than a request may be. */
export function checkText(text: unknown, { synthesis }: Pick<SpeechParts, "synthesis">): string {
  if (typeof text !== "string") throw apiError("unreadable_frame", { reason: "text is not a string" });
  const limit = synthesis.rules().maxTextCharacters;
  const length = countCharacters(text);
  if (length > limit) throw apiError("text_too_long", { length, limit });
  return text;
}

/** Sends `audio-start`, the audio as it is made, and `audio-stop`. */
export async function speakText(
  round: Round,
  request: WyomingRequest,
  parts: SpeechParts,
  send: SendEvent,
): Promise<void> {
  const { controller } = round;
  const stop = (): void => controller.abort(request.controller.signal.reason);
  if (request.controller.signal.aborted) stop();
  request.controller.signal.addEventListener("abort", stop, { once: true });
  const slot = createSessionSlot(undefined, parts.activeRequests, () => {});
  let samples = 0;
  const sendStart = async (): Promise<void> => {
    if (samples === 0) await send("audio-start", { ...AUDIO_FORMAT, timestamp: 0 });
  };
  try {
    const caller = await request.admit();
    await speakRound(
      round,
      {
        ...parts,
        caller,
        charges: createChunkCharges(parts.metering, caller, request.traceId),
        model: undefined,
        withTimestamps: false,
        trace: request.trace,
        // The account may have been disabled while the text was being written.
        takeSlot: () => slot.take(async () => request.acquireSlot(await request.admit()), controller),
        onIdle: slot.idle,
        async send(audio) {
          await sendStart();
          await send("audio-chunk", { ...AUDIO_FORMAT, timestamp: milliseconds(samples) }, audio);
          samples += audio.length / AUDIO_FORMAT.width;
        },
      },
      request.facts,
    );
  } finally {
    request.controller.signal.removeEventListener("abort", stop);
    await slot.release();
  }
  await sendStart();
  await send("audio-stop", { timestamp: milliseconds(samples) });
}

function milliseconds(samples: number): number {
  return Math.round((samples / AUDIO_FORMAT.rate) * 1000);
}

/** A voice has a name or only a language. For a language without a voice, the default voice speaks. */
function voiceReference(voice: unknown, speech: Pick<Speech, "voices">): string | undefined {
  if (!isRecord(voice)) return undefined;
  if (typeof voice.name === "string" && voice.name !== "") return voice.name;
  if (typeof voice.language !== "string") return undefined;
  return defaultVoiceOf(speech.voices(), voice.language.replaceAll("_", "-"))?.slug;
}

import { type Span, withSpan } from "@parlance/speech";
import type { RequestFacts } from "../../telemetry/request-log.ts";
import type { Charge, Metering, Payer } from "../billing/metering.ts";
import type { RecordingRequest, RecordingResult, TranscriptionService } from "./transcription.ts";

/** A recording on disk and the request that it belongs to. */
export interface RecordingWork {
  readonly path: string;
  readonly payer: Payer;
  readonly traceId: string;
  readonly trace: Span;
  readonly facts: RequestFacts;
  readonly signal: AbortSignal;
}

export interface ChargedTranscriptionParts {
  readonly transcription: TranscriptionService;
  readonly metering: Metering;
}

/** Transcribes a recording and charges for it. Without a transcript there is no charge. */
export async function transcribeCharged(
  asrRequest: RecordingRequest,
  { path, payer, traceId, trace, facts, signal }: RecordingWork,
  { transcription, metering }: ChargedTranscriptionParts,
): Promise<RecordingResult> {
  let charge = undefined as Charge | undefined;
  let ended = false;
  // The price is known once the recording is decoded.
  const pay = async (seconds: number): Promise<void> => {
    const work = { traceId, operation: "asr", credits: metering.priceOfAudio(seconds) };
    charge = await withSpan(trace, "credit", () => metering.reserve(payer, work));
    // Aborted work may get here late.
    if (ended) await charge.refund();
  };
  try {
    const hinted = await transcription.withWordsOf(payer.userId, asrRequest);
    const asked = await transcription.withSpeakersOf(payer.userId, hinted);
    const result = await transcription.transcribe({ ...asked, owner: payer.userId }, path, signal, pay, trace);
    await charge?.settle();
    facts.audioSeconds = result.duration;
    return result;
  } finally {
    ended = true;
    // No effect after settlement.
    await charge?.refund();
    facts.credits = charge?.charged ?? 0;
  }
}

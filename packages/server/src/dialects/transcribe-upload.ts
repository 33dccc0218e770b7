import { type AsrRules, apiError, DEFAULT_ASR_MODEL, MODEL_HEADER } from "@parlance/protocol";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ActiveRequests } from "../http/active-requests.ts";
import { payerOf } from "../http/charging.ts";
import { abortOnDisconnect } from "../http/disconnect.ts";
import { sendSlowJson } from "../http/slow-response.ts";
import { receiveUpload } from "../http/uploads/receive-upload.ts";
import type { Upload, UploadRules, UploadTimeouts } from "../http/uploads/upload-rules.ts";
import type { Metering } from "../services/billing/metering.ts";
import { transcribeCharged } from "../services/speech/charged-transcription.ts";
import type { RecordingRequest, RecordingResult, TranscriptionService } from "../services/speech/transcription.ts";
import type { UploadFolder } from "../services/uploads/upload-folder.ts";
import type { StreamTimeouts } from "./speech-response.ts";

export interface TranscriptionParts {
  readonly transcription: TranscriptionService;
  readonly metering: Metering;
  readonly uploads: UploadFolder;
  readonly activeRequests: ActiveRequests;
  readonly uploadTimeouts: UploadTimeouts;
  readonly timeouts: StreamTimeouts;
}

/** What a dialect decides about a recording that is uploaded. */
export interface RecordingInput {
  /** Reads the body, which holds one recording. */
  readonly receive: () => Promise<Upload>;
  /** The options of the request. Throws the error for those that are wrong. */
  readonly read: (upload: Upload, rules: AsrRules) => RecordingRequest | Promise<RecordingRequest>;
}

/**
 * Receives a recording and begins to transcribe it: resolves when the request is found to be right. Charges for the
 * transcript, and removes the recording in every case. For routes behind `admit`, of any dialect.
 */
export async function transcribeUpload(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: Pick<TranscriptionParts, "transcription" | "metering">,
  { receive, read }: RecordingInput,
  signal: AbortSignal,
): Promise<{ readonly result: Promise<RecordingResult> }> {
  const rules = parts.transcription.rules();
  const upload = await receive();
  const file = Object.values(upload.files).flat()[0];
  request.receiving.set({ bytes: file?.bytes ?? 0 });
  request.receiving.end();
  try {
    const asrRequest = await read(upload, rules);
    if (file === undefined || file.bytes === 0) throw apiError("audio_undecodable", { reason: "the file is empty" });
    request.admission.end();
    reply.header(MODEL_HEADER, asrRequest.engine ?? DEFAULT_ASR_MODEL);
    const work = { path: file.path, payer: payerOf(request), traceId: request.id, trace: request.trace };
    const charged = transcribeCharged(asrRequest, { ...work, facts: request.facts, signal }, parts);
    return { result: charged.finally(() => upload.remove()) };
  } catch (error) {
    await upload.remove();
    throw error;
  }
}

/** Where the recording is a file of a multipart or MessagePack body. */
export function transcribeForm(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: TranscriptionParts,
  { rules, read }: { readonly rules: UploadRules; readonly read: RecordingInput["read"] },
  signal: AbortSignal,
): Promise<{ readonly result: Promise<RecordingResult> }> {
  const receive = () => receiveUpload(request, parts.uploads, rules, parts.uploadTimeouts);
  return transcribeUpload(request, reply, parts, { receive, read }, signal);
}

export interface TranscriptAnswer {
  readonly rules: UploadRules;
  readonly read: RecordingInput["read"];
  /** The body of the response. */
  readonly toBody: (result: RecordingResult) => object;
}

/** Answers the upload of a recording with its transcript in JSON. */
export async function sendTranscript(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: TranscriptionParts,
  { toBody, ...input }: TranscriptAnswer,
): Promise<FastifyReply> {
  const controller = abortOnDisconnect(reply, parts.activeRequests);
  const { result } = await transcribeForm(request, reply, parts, input, controller.signal);
  return sendSlowJson(request, reply, result.then(toBody), { controller, ...parts.timeouts });
}

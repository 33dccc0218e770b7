import {
  apiError,
  checkAsrRequest,
  DEFAULT_ASR_MODEL,
  fromMultipart,
  LIMITS,
  MODEL_HEADER,
  parseAsrOptions,
} from "@parlance/protocol";
import { withSpan } from "@parlance/speech";
import type { FastifyInstance } from "fastify";
import type { ActiveRequests } from "../../../http/active-requests.ts";
import { payerOf } from "../../../http/charging.ts";
import { abortOnDisconnect } from "../../../http/disconnect.ts";
import { acceptUploads, receiveUpload } from "../../../http/uploads/receive-upload.ts";
import type { UploadRules, UploadTimeouts } from "../../../http/uploads/upload-rules.ts";
import { documented } from "../../../openapi/route-docs.ts";
import { type Metering, NO_CHARGE } from "../../../services/billing/metering.ts";
import type { TranscriptionService } from "../../../services/speech/transcription.ts";
import type { UploadFolder } from "../../../services/uploads/upload-folder.ts";
import { ASR_DOCS } from "./docs.ts";

export interface AsrParts {
  readonly transcription: TranscriptionService;
  readonly metering: Metering;
  readonly uploads: UploadFolder;
  readonly activeRequests: ActiveRequests;
  readonly timeouts: UploadTimeouts;
}

const AUDIO = {
  maxFiles: 1,
  maxBytes: LIMITS.asrFileBytes,
  required: true,
  label: "recording",
  tooLarge: "audio_too_large",
} as const;
const RULES: UploadRules = {
  files: { audio: AUDIO },
  maxBodyBytes: LIMITS.asrBodyBytes,
  maxFieldBytes: 4096,
  maxFieldsBytes: 64 * 1024,
};

/** POST /v1/asr: transcribes a recording. It needs a scope of its own, because its bodies are written to disk. */
export async function asrRoutes(scope: FastifyInstance, parts: AsrParts): Promise<void> {
  await acceptUploads(scope);
  const config = { operation: "asr" as const, slowBody: true, accepts: "multipart/form-data or application/msgpack" };

  scope.post("/v1/asr", documented(ASR_DOCS, { config }), async (request, reply) => {
    const { transcription, metering, uploads, activeRequests, timeouts } = parts;
    const controller = abortOnDisconnect(reply, activeRequests);
    const rules = transcription.rules();
    const upload = await receiveUpload(request, uploads, RULES, timeouts);
    const file = upload.files.audio?.[0];
    request.receiving.set({ bytes: file?.bytes ?? 0 });
    request.receiving.end();
    let charge = NO_CHARGE;
    let ended = false;
    try {
      const fields = request.isMultipart() ? fromMultipart(upload.fields) : upload.fields;
      const options = parseAsrOptions(fields, upload.issues);
      const { model } = request.headers;
      const asrRequest = checkAsrRequest(typeof model === "string" ? model : undefined, options, rules);
      if (file === undefined || file.bytes === 0) throw apiError("audio_undecodable", { reason: "the file is empty" });
      request.admission.end();
      // The price is known once the recording is decoded.
      const pay = async (seconds: number): Promise<void> => {
        const work = { traceId: request.id, operation: "asr", credits: metering.priceOfAudio(seconds) };
        charge = await withSpan(request.trace, "credit", () => metering.reserve(payerOf(request), work));
        // Aborted work may get here late.
        if (ended) await charge.refund();
      };
      const { trace } = request;
      const result = await transcription.transcribe(asrRequest, file.path, controller.signal, pay, trace);
      await charge.settle();
      request.facts.audioSeconds = result.duration;
      reply.header(MODEL_HEADER, asrRequest.engine ?? DEFAULT_ASR_MODEL);
      return result;
    } finally {
      ended = true;
      // No effect after settlement: without a transcript there is no charge.
      await charge.refund();
      request.facts.credits = charge.charged ?? 0;
      await upload.remove();
    }
  });
}

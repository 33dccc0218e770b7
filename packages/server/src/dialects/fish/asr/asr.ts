import { checkAsrRequest, fromMultipart, LIMITS, parseAsrOptions } from "@parlance/protocol";
import type { FastifyInstance } from "fastify";
import { acceptUploads } from "../../../http/uploads/receive-upload.ts";
import { documented } from "../../../openapi/route-docs.ts";
import { recordingRules } from "../../recording-rules.ts";
import { sendTranscript, type TranscriptionParts } from "../../transcribe-upload.ts";
import { ASR_DOCS } from "./docs.ts";

const RULES = recordingRules("audio", LIMITS.asrFileBytes, LIMITS.asrBodyBytes);

/** POST /v1/asr: transcribes a recording. It needs a scope of its own, because its bodies are written to disk. */
export async function asrRoutes(scope: FastifyInstance, parts: TranscriptionParts): Promise<void> {
  await acceptUploads(scope);
  const config = { operation: "asr" as const, slowBody: true, accepts: "multipart/form-data or application/msgpack" };

  scope.post("/v1/asr", documented(ASR_DOCS, { config }), async (request, reply) => {
    const { model } = request.headers;
    return sendTranscript(request, reply, parts, {
      rules: RULES,
      read(upload, rules) {
        const fields = request.isMultipart() ? fromMultipart(upload.fields) : upload.fields;
        const options = parseAsrOptions(fields, upload.issues);
        return checkAsrRequest(typeof model === "string" ? model : undefined, options, rules);
      },
      toBody: (result) => result,
    });
  });
}

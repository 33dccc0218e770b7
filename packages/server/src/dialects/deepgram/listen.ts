import { apiError, checkAsrRequest, LIMITS } from "@parlance/protocol";
import type { FastifyInstance } from "fastify";
import { abortOnDisconnect } from "../../http/disconnect.ts";
import { parseQuery } from "../../http/request-input.ts";
import { sendSlowJson } from "../../http/slow-response.ts";
import { acceptRaw, receiveRaw } from "../../http/uploads/receive-raw.ts";
import { documented } from "../../openapi/route-docs.ts";
import { languageCode } from "../language-code.ts";
import { recognizerModel } from "../model-choice.ts";
import { recognitionHints } from "../recognition-hints.ts";
import { MIN_SPEECH_SECONDS, recordingRules } from "../recording-rules.ts";
import { type TranscriptionParts, transcribeUpload } from "../transcribe-upload.ts";
import { LISTEN_DOCS } from "./docs.ts";
import { diarizes, headerFor, keywordsOf, listenQuery } from "./listen-query.ts";
import { toResults } from "./results.ts";

const RULES = recordingRules("audio", LIMITS.asrFileBytes, LIMITS.asrFileBytes);

/** POST /v1/listen: the body is the recording. It is written to disk. */
export function listenRoute(scope: FastifyInstance, parts: TranscriptionParts): void {
  acceptRaw(scope);
  const config = { operation: "asr" as const, slowBody: true };
  scope.post("/v1/listen", documented(LISTEN_DOCS, { config }), async (request, reply) => {
    const controller = abortOnDisconnect(reply, parts.activeRequests);
    const options = parseQuery(listenQuery, request);
    if (/^application\/json\b/i.test(request.headers["content-type"] ?? "")) throw addressRefused();
    const header = headerFor(options);
    const { result } = await transcribeUpload(
      request,
      reply,
      parts,
      {
        receive: () => receiveRaw(request, parts.uploads, RULES, parts.uploadTimeouts, header),
        read(_upload, rules) {
          const language = options.language === "multi" || options.detect_language ? undefined : options.language;
          const wanted = { language: languageCode(language), granularity: "word", speakers: diarizes(options) };
          const native = checkAsrRequest(recognizerModel(options.model ?? "", rules.models), wanted, rules);
          return { ...native, ...recognitionHints("keyterm", keywordsOf(options)), minSeconds: MIN_SPEECH_SECONDS };
        },
      },
      controller.signal,
    );
    const body = result.then((transcript) => toResults(transcript, options, request.id));
    return sendSlowJson(request, reply, body, { controller, ...parts.timeouts });
  });
}

function addressRefused() {
  return apiError("invalid_value", {
    field: "url",
    value: "an address",
    allowed: "this server sends no requests: send the recording as the body",
  });
}

import { LIMITS } from "@parlance/protocol";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { abortOnDisconnect } from "../../http/disconnect.ts";
import { sendSlowEvents, sendSlowJson, sendSlowText } from "../../http/slow-response.ts";
import { acceptUploads } from "../../http/uploads/receive-upload.ts";
import { documented, type RouteDocs } from "../../openapi/route-docs.ts";
import type { RecordingResult } from "../../services/speech/transcription.ts";
import { recordingRules } from "../recording-rules.ts";
import { type TranscriptionParts, transcribeForm } from "../transcribe-upload.ts";
import { transcriptionDocs, translationDocs } from "./docs.ts";
import { EVENT_STREAM, errorEvent } from "./events.ts";
import { REFERENCES_FIELD, withReferences } from "./speaker-references.ts";
import { jsonBody, TEXT_FORMATS } from "./transcript-body.ts";
import { createTextQueue, transcriptEvents } from "./transcript-events.ts";
import { readTranscriptFields, type TranscriptOptions } from "./transcript-fields.ts";
import { invalid } from "./values.ts";

const { count: maxReferences, bytes: maxReferenceBytes } = LIMITS.asrReferences;
const RECORDING_RULES = recordingRules("file", LIMITS.asrFileBytes, LIMITS.asrBodyBytes);
/** Recordings of known speakers are too large for fields: they are written to disk as well. */
const TRANSCRIPTION_RULES = {
  ...RECORDING_RULES,
  files: {
    ...RECORDING_RULES.files,
    [REFERENCES_FIELD]: { maxFiles: maxReferences, maxBytes: maxReferenceBytes, label: "reference" },
  },
  maxBodyBytes: LIMITS.asrBodyBytes + maxReferences * maxReferenceBytes,
};
const RULES = { transcribe: TRANSCRIPTION_RULES, translate: RECORDING_RULES };

type Task = "transcribe" | "translate";

/** POST /audio/transcriptions and /audio/translations, below each prefix. Their bodies are written to disk. */
export async function transcriptRoutes(
  scope: FastifyInstance,
  prefixes: readonly string[],
  parts: TranscriptionParts,
): Promise<void> {
  await acceptUploads(scope);
  const config = { operation: "asr" as const, slowBody: true, accepts: "multipart/form-data" };
  const route = (path: string, docs: RouteDocs, task: Task): void => {
    scope.post(path, documented(docs, { config }), (request, reply) => respond(request, reply, parts, task));
  };
  for (const prefix of prefixes) {
    route(`${prefix}/audio/transcriptions`, transcriptionDocs(prefix), "transcribe");
    route(`${prefix}/audio/translations`, translationDocs(prefix), "translate");
  }
}

async function respond(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: TranscriptionParts,
  task: Task,
): Promise<FastifyReply> {
  if (task === "translate" && !parts.transcription.canTranslate()) {
    throw invalid("model", "translation", "no model that translates is installed here");
  }
  const controller = abortOnDisconnect(reply, parts.activeRequests);
  const queue = createTextQueue();
  const { options, result } = await start(request, reply, parts, task, controller.signal, queue.add);
  const slow = { controller, ...parts.timeouts };
  if (options.stream) {
    const events = transcriptEvents(queue, result, options.format === "diarized_json");
    return sendSlowEvents(request, reply.headers(EVENT_STREAM), events, { ...slow, errorBytes: errorEvent });
  }
  const format = TEXT_FORMATS[options.format];
  if (format) return sendSlowText(request, reply, result.then(format.toText), format, slow);
  const body = result.then((transcript) => jsonBody(transcript, options));
  return sendSlowJson(request, reply, body, slow);
}

/** Resolves when the options have been read; throws where they or the upload are wrong. */
async function start(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: TranscriptionParts,
  task: Task,
  signal: AbortSignal,
  onText: (piece: string) => void,
): Promise<{ readonly options: TranscriptOptions; readonly result: Promise<RecordingResult> }> {
  let options: TranscriptOptions | undefined;
  const { result } = await transcribeForm(
    request,
    reply,
    parts,
    {
      rules: RULES[task],
      async read(upload, rules) {
        options = readTranscriptFields(upload, rules, task);
        const recording = await withReferences(options, upload);
        return options.stream ? { ...recording, onText } : recording;
      },
    },
    signal,
  );
  if (options === undefined) throw new Error("the options were not read");
  return { options, result };
}

import { readFile } from "node:fs/promises";
import {
  apiError,
  FORMAT_RULES,
  HISTORY_LIMITS,
  type HistoryEntry,
  type HistoryRecord,
  historyAudioQuery,
  historyChangeBody,
  historyQuery,
  LIMITS,
  newTranscriptBody,
} from "@parlance/protocol";
import type { FastifyInstance } from "fastify";
import type { ActiveRequests } from "../../http/active-requests.ts";
import { authenticate, callerOf } from "../../http/authenticate.ts";
import { widenJsonBounds } from "../../http/body-parsers.ts";
import { abortOnDisconnect } from "../../http/disconnect.ts";
import type { Identify } from "../../http/identify.ts";
import { limitLargeBodies } from "../../http/large-bodies.ts";
import { parseBody, parseId, parseQuery } from "../../http/request-input.ts";
import { openResponseStream } from "../../http/response-stream.ts";
import { sendFile } from "../../http/send-file.ts";
import { acceptRaw, receiveRaw } from "../../http/uploads/receive-raw.ts";
import type { UploadRules, UploadTimeouts } from "../../http/uploads/upload-rules.ts";
import { documented } from "../../openapi/route-docs.ts";
import type { AudioExports } from "../../services/history/audio-exports.ts";
import type { History, HistoryDetails, HistoryItem } from "../../services/history/history.ts";
import type { UploadFolder } from "../../services/uploads/upload-folder.ts";
import { HISTORY_DOCS } from "./history-docs.ts";

export interface HistoryRouteParts {
  readonly history: History;
  readonly audioExports: AudioExports;
  readonly identify: Identify;
  readonly activeRequests: ActiveRequests;
  readonly uploads: UploadFolder;
  readonly uploadTimeouts: UploadTimeouts;
  readonly timeouts: { readonly engineTimeoutMs: number; readonly readerTimeoutMs: number };
}

const BODY = { bodyLimit: HISTORY_LIMITS.bodyBytes };
const { audioBytes } = HISTORY_LIMITS;
const AUDIO_RULES: UploadRules = {
  files: {
    audio: { maxFiles: 1, maxBytes: audioBytes, required: true, label: "recording", tooLarge: "audio_too_large" },
  },
  maxBodyBytes: audioBytes,
  maxFieldBytes: 0,
  maxFieldsBytes: 0,
};

/** What the account has spoken and transcribed: /account/history. */
export function accountHistoryRoutes(app: FastifyInstance, parts: HistoryRouteParts): void {
  app.register(async (scope) => entryRoutes(scope, parts));
  app.register(async (scope) => audioUploadRoute(scope, parts));
}

function entryRoutes(scope: FastifyInstance, parts: HistoryRouteParts): void {
  const { history, audioExports, identify, activeRequests, timeouts } = parts;
  authenticate(scope, identify);
  widenJsonBounds(scope, { ...LIMITS.json, elements: HISTORY_LIMITS.bodyElements });
  limitLargeBodies(scope);

  scope.get("/account/history", documented(HISTORY_DOCS.list), async (request) => {
    const { kind, search, page_size: pageSize = 20, page_number: pageNumber = 1 } = parseQuery(historyQuery, request);
    const page = { kind, search, pageSize, pageNumber };
    const { total, items } = await history.list(callerOf(request).userId, page);
    return { total, items: items.map(toEntry), has_more: pageNumber * pageSize < total };
  });
  scope.get("/account/history/:id", documented(HISTORY_DOCS.get), async (request) =>
    toRecord(await history.find(callerOf(request).userId, parseId(request, "unknown_history"))),
  );
  scope.get("/account/history/:id/audio", documented(HISTORY_DOCS.audio), async (request, reply) => {
    const id = parseId(request, "unknown_history");
    const { format } = parseQuery(historyAudioQuery, request);
    const { userId } = callerOf(request);
    const { bytes, type } = await history.audio(userId, id);
    if (format === undefined || FORMAT_RULES[format].contentType.startsWith(type)) {
      return sendFile(request, reply, { bytes, type });
    }
    const controller = abortOnDisconnect(reply, activeRequests);
    const converted = audioExports.convert(userId, bytes, format, controller.signal);
    const stream = await openResponseStream(converted, { controller, ...timeouts, onEnd: async () => {} });
    return reply.type(FORMAT_RULES[format].contentType).header("cache-control", "private, no-store").send(stream);
  });
  scope.post("/account/history", documented(HISTORY_DOCS.add, BODY), async (request, reply) => {
    const transcript = parseBody(newTranscriptBody, request);
    return reply.code(201).send(toRecord(await history.addTranscript(callerOf(request).userId, transcript)));
  });
  scope.patch("/account/history/:id", documented(HISTORY_DOCS.change, BODY), async (request) => {
    const id = parseId(request, "unknown_history");
    return toRecord(await history.change(callerOf(request).userId, id, parseBody(historyChangeBody, request)));
  });
  scope.delete("/account/history/:id", documented(HISTORY_DOCS.remove), async (request, reply) => {
    await history.remove(callerOf(request).userId, parseId(request, "unknown_history"));
    return reply.code(204).send();
  });
  scope.delete("/account/history", documented(HISTORY_DOCS.clear), async (request, reply) => {
    await history.clear(callerOf(request).userId);
    return reply.code(204).send();
  });
}

/** It needs a scope of its own, because its body is written to disk. */
function audioUploadRoute(
  scope: FastifyInstance,
  { history, identify, uploads, uploadTimeouts }: HistoryRouteParts,
): void {
  authenticate(scope, identify);
  limitLargeBodies(scope);
  acceptRaw(scope);
  const config = { slowBody: true } as const;
  scope.put("/account/history/:id/audio", documented(HISTORY_DOCS.putAudio, { config }), async (request, reply) => {
    const { userId } = callerOf(request);
    const id = parseId(request, "unknown_history");
    // Before the body is received.
    await history.find(userId, id);
    const upload = await receiveRaw(request, uploads, AUDIO_RULES, uploadTimeouts);
    try {
      const [file] = upload.files.audio ?? [];
      if (file === undefined) throw apiError("audio_undecodable", { reason: "the file is empty" });
      await history.putAudio(userId, id, mediaType(request.headers["content-type"]), await readFile(file.path));
      return reply.code(204).send();
    } finally {
      await upload.remove();
    }
  });
}

/** A type that no browser runs. */
function mediaType(given = ""): string {
  const [type = ""] = given.toLowerCase().split(";");
  return /^(audio|video)\/[\w.+-]{1,40}$/.test(type.trim()) ? type.trim() : "application/octet-stream";
}

function toEntry(item: HistoryItem): HistoryEntry {
  return {
    _id: item.id,
    kind: item.kind,
    title: item.title,
    excerpt: item.excerpt,
    voice: item.voice,
    model: item.model,
    language: item.language,
    duration: item.durationMs / 1000,
    complete: item.complete,
    trace_id: item.traceId,
    audio_type: item.audioType,
    audio_bytes: item.audioBytes,
    created_at: item.createdAt,
    expires_at: item.expiresAt,
  };
}

function toRecord(item: HistoryItem & HistoryDetails): HistoryRecord {
  return { ...toEntry(item), text: item.text, words: [...item.words] };
}

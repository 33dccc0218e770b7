import {
  HISTORY_LIMITS,
  historyAudioQuery,
  historyChangeBody,
  historyPage,
  historyQuery,
  historyRecord,
  newTranscriptBody,
} from "@parlance/protocol";
import { AUDIO_RESPONSE } from "../../openapi/inference.ts";
import type { RouteDocs } from "../../openapi/route-docs.ts";

const UNKNOWN = ["unknown_history"] as const;

export const HISTORY_DOCS = {
  list: {
    id: "listHistory",
    summary: "List what was spoken and transcribed",
    description:
      "Newest first. Speech is kept by the server where `PARLANCE_HISTORY` says so; its response has the id in `x-history-id`. Entries are deleted after `PARLANCE_HISTORY_DAYS`.",
    query: historyQuery,
    response: historyPage,
  },
  get: { id: "getHistory", summary: "Get an entry with its text and words", response: historyRecord, errors: UNKNOWN },
  audio: {
    id: "getHistoryAudio",
    summary: "Get the audio of an entry, in any format",
    description: "It costs nothing.",
    query: historyAudioQuery,
    responses: { 200: { description: AUDIO_RESPONSE.description, content: AUDIO_RESPONSE.content ?? {} } },
    errors: [...UNKNOWN, "overloaded"],
  },
  add: {
    id: "addTranscript",
    summary: "Keep a transcript",
    description: `Clients split long recordings, so the whole transcript is known to them only. The recording follows with \`PUT /account/history/{id}/audio\`.`,
    body: { name: "NewTranscript", schema: newTranscriptBody },
    response: historyRecord,
    status: 201,
    errors: ["history_off"],
  },
  putAudio: {
    id: "putHistoryAudio",
    summary: "Keep the recording of a transcript",
    description: `The body is the file, at most ${HISTORY_LIMITS.audioBytes / 1e6} MB.`,
    errors: [...UNKNOWN, "audio_too_large", "upload_too_slow"],
  },
  change: {
    id: "changeHistory",
    summary: "Change title, text or words",
    body: { name: "HistoryChange", schema: historyChangeBody },
    response: historyRecord,
    errors: UNKNOWN,
  },
  remove: { id: "deleteHistory", summary: "Delete an entry", errors: UNKNOWN },
  clear: { id: "clearHistory", summary: "Delete all entries of the account" },
} as const satisfies Readonly<Record<string, RouteDocs>>;

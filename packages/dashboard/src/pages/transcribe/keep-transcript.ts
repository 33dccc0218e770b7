import type { Transcript } from "@parlance/client";
import { ApiError, type AsrSegment, HISTORY_LIMITS } from "@parlance/protocol";
import { client } from "../../lib/server.ts";
import { mergeWords } from "./merge-words.ts";
import type { EditedTranscript } from "./transcript-editor.tsx";

/**
 * Adds a finished transcript to the history, with its recording unless that is too large. Returns the id of the entry, or
 * nothing where there is no text or the history is off.
 */
export async function keepTranscript(file: File, result: Transcript, traceId: string): Promise<string | undefined> {
  const { text, segments, duration, language } = result;
  // There is nothing to find again in a recording without speech.
  if (text === "") return undefined;
  const entry = {
    title: file.name.slice(0, HISTORY_LIMITS.titleCharacters) || "recording",
    ...historyText({ text, words: segments }),
    duration,
    ...(traceId === "" ? {} : { trace_id: traceId }),
    ...(language === null ? {} : { language }),
  };
  const isKept = file.size > 0 && file.size <= HISTORY_LIMITS.audioBytes;
  try {
    return (await client.history.add(entry, isKept ? file : undefined))._id;
  } catch (error) {
    if (!(error instanceof ApiError && error.code === "history_off")) throw error;
    return undefined;
  }
}

/** Text and words within the limits of the history. */
export function historyText({ text, words }: EditedTranscript) {
  return {
    text: text.slice(0, HISTORY_LIMITS.textCharacters),
    words: mergeWords(words, HISTORY_LIMITS.words).map(toHistoryWord),
  };
}

function toHistoryWord({ text, start, end, speaker }: AsrSegment) {
  const word = { text, start, end };
  return speaker === undefined ? word : { ...word, speaker: speaker.slice(0, HISTORY_LIMITS.speakerCharacters) };
}

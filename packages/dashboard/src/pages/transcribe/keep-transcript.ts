import type { Transcript } from "@parlance/client";
import { ApiError, HISTORY_LIMITS } from "@parlance/protocol";
import { client } from "../../lib/server.ts";
import { mergeWords } from "./merge-words.ts";

/** Adds a finished transcript to the history, with its recording unless that is too large. Does nothing where it is off. */
export async function keepTranscript(file: File, result: Transcript, traceId: string): Promise<void> {
  const { text, segments, duration, language } = result;
  const entry = {
    title: file.name.slice(0, HISTORY_LIMITS.titleCharacters) || "recording",
    text: text.slice(0, HISTORY_LIMITS.textCharacters),
    words: mergeWords(segments, HISTORY_LIMITS.words).map(({ text, start, end }) => ({ text, start, end })),
    duration,
    trace_id: traceId,
    ...(language === null ? {} : { language }),
  };
  try {
    await client.history.add(entry, file.size <= HISTORY_LIMITS.audioBytes ? file : undefined);
  } catch (error) {
    if (!(error instanceof ApiError && error.code === "history_off")) throw error;
  }
}

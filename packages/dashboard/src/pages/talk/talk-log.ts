import type { ConversationEvent } from "@parlance/client";

/** How long the stages of an answer took, in milliseconds from the end of speech. */
export interface StageTimes {
  /** Until the turn was over: the silence that ends it, and the way to the server. */
  readonly endOfTurn?: number;
  readonly firstWord?: number;
  readonly firstAudio?: number;
}

export interface TalkEntry {
  readonly id: string;
  readonly who: "you" | "agent";
  readonly text: string;
  /** The answer was interrupted. */
  readonly isCut: boolean;
  readonly times: StageTimes;
}

/** Both sides of a conversation. */
export interface TalkLog {
  readonly entries: readonly TalkEntry[];
  /** When the last turn was over, and how long after the end of speech that was. */
  readonly turn: { readonly at: number; readonly late: number } | undefined;
  readonly fault: string | undefined;
}

export const EMPTY_LOG: TalkLog = { entries: [], turn: undefined, fault: undefined };
const MAX_ENTRIES = 200;

/** `now` in milliseconds; `sentMs`: how much audio of the microphone was sent by then. */
export function withEvent(log: TalkLog, event: ConversationEvent, now: number, sentMs: number): TalkLog {
  const id = textOf(event.item_id);
  const sinceSpeech = log.turn === undefined ? {} : { ms: Math.round(now - log.turn.at + log.turn.late) };
  switch (event.type) {
    case "input_audio_buffer.speech_started":
      return change(log, id, "you", (entry) => entry);
    case "input_audio_buffer.speech_stopped":
      return { ...log, turn: { at: now, late: Math.max(0, sentMs - Number(event.audio_end_ms)) } };
    case "conversation.item.input_audio_transcription.delta":
      return change(log, id, "you", (entry) => ({ ...entry, text: entry.text + textOf(event.delta) }));
    case "conversation.item.input_audio_transcription.completed":
      // A noise that was no speech.
      if (textOf(event.transcript) === "") return { ...log, entries: log.entries.filter((entry) => entry.id !== id) };
      return change(log, id, "you", (entry) => ({ ...entry, text: textOf(event.transcript) }));
    case "response.output_audio_transcript.delta":
      return change(log, id, "agent", (entry) => ({
        ...entry,
        text: entry.text + textOf(event.delta),
        times: {
          ...(log.turn === undefined ? {} : { endOfTurn: Math.round(log.turn.late) }),
          ...(sinceSpeech.ms === undefined ? {} : { firstWord: sinceSpeech.ms }),
          ...entry.times,
        },
      }));
    case "response.output_audio.delta":
      return change(log, id, "agent", (entry) => ({
        ...entry,
        times: { ...(sinceSpeech.ms === undefined ? {} : { firstAudio: sinceSpeech.ms }), ...entry.times },
      }));
    case "conversation.item.truncated":
      return change(log, id, "agent", (entry) => ({ ...entry, isCut: true }));
    case "response.done":
      return { ...log, fault: faultOf(event.response) ?? log.fault };
    case "error":
      return { ...log, fault: messageOf(event.error) ?? log.fault };
    default:
      return log;
  }
}

function change(log: TalkLog, id: string, who: TalkEntry["who"], make: (entry: TalkEntry) => TalkEntry): TalkLog {
  const known = log.entries.some((entry) => entry.id === id);
  const entries = known ? log.entries : [...log.entries, { id, who, text: "", isCut: false, times: {} }];
  return { ...log, entries: entries.map((entry) => (entry.id === id ? make(entry) : entry)).slice(-MAX_ENTRIES) };
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
const messageOf = (error: unknown): string | undefined => textOf(fieldOf(error, "message")) || undefined;
const faultOf = (response: unknown): string | undefined =>
  messageOf(fieldOf(fieldOf(response, "status_details"), "error"));

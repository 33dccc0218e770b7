import {
  type ApiError,
  type AsrRules,
  apiError,
  describeValue,
  type ListenRequest,
  parseListenRequest,
  parseShape,
} from "@parlance/protocol";
import type { ListeningEvent } from "@parlance/speech";
import { z } from "zod";
import { errorBodyIn } from "../../error-body.ts";
import type { SocketRoute } from "../../fish/live/sockets.ts";
import { languageCode } from "../../language-code.ts";
import { openJsonListening } from "../../listening/json-session.ts";
import { recognizerModel } from "../../model-choice.ts";
import { elevenlabs } from "../elevenlabs.ts";

const PATH = /^\/v1\/speech-to-text\/realtime(?:\?(.*))?$/;

const query = z.object({
  model_id: z.string().optional(),
  audio_format: z.string().optional(),
  language_code: z.string().optional(),
  commit_strategy: z.string().optional(),
  vad_silence_threshold_secs: z.coerce.number().optional(),
  include_timestamps: z.string().optional(),
});
const chunk = z.object({
  message_type: z.string().max(100),
  audio_base_64: z.string().optional(),
  commit: z.boolean().nullish(),
});

/** WS /v1/speech-to-text/realtime: audio in base64 in, transcripts out. */
export function findElevenLabsListenSocket(url: string): SocketRoute | undefined {
  const found = PATH.exec(url);
  if (found === null) return undefined;
  return {
    dialect: elevenlabs.name,
    operation: "asr",
    route: "/v1/speech-to-text/realtime",
    open(socket, parts, options) {
      const given = Object.fromEntries(new URLSearchParams(found[1] ?? ""));
      const withTimes = given.include_timestamps === "true";
      const link = openJsonListening(socket, parts, options, elevenlabs.name, {
        onMessage(value, { stream }) {
          const message = parseShape(chunk, value, "body");
          if (message.message_type !== "input_audio_chunk") return;
          stream?.push(Buffer.from(message.audio_base_64 ?? "", "base64"));
          if (message.commit === true) stream?.flush();
        },
        onEvent: (event) => messagesOf(event, withTimes),
        errorMessage,
      });
      try {
        link.start(() => requestOf(given, parts.transcription.rules()));
        link.reply({ message_type: "session_started", session_id: options.traceId, config: given });
      } catch {
        // The socket has been closed with the error.
      }
    },
  };
}

function requestOf(given: Readonly<Record<string, string>>, rules: AsrRules): ListenRequest {
  const options = parseShape(query, given, "query");
  const name = options.audio_format ?? "pcm_16000";
  const [, format, rate] = /^(pcm|ulaw|alaw)_(\d{4,5})$/.exec(name) ?? [];
  if (format === undefined) {
    const allowed = "it must be such as pcm_16000, pcm_24000, ulaw_8000";
    throw apiError("invalid_value", { field: "audio_format", value: describeValue(name), allowed });
  }
  const silence = options.vad_silence_threshold_secs;
  const turn =
    silence === undefined
      ? { end_of_turn: "words" }
      : { end_of_turn: "silence", silence_ms: Math.round(silence * 1000) };
  const body = {
    format,
    sample_rate: Number(rate),
    language: languageCode(options.language_code),
    ...(options.commit_strategy === "vad" ? turn : { end_of_turn: "client" }),
  };
  return parseListenRequest(recognizerModel(options.model_id ?? "", rules.models), body, rules);
}

function messagesOf(event: ListeningEvent, withTimes: boolean): readonly object[] {
  if (event.type === "partial") return [{ message_type: "partial_transcript", text: event.text }];
  if (event.type !== "final") return [];
  const { text, language } = event;
  const committed = { message_type: "committed_transcript", text };
  if (!withTimes) return [committed];
  const words = event.words.flatMap(({ text: word, start, end, joined }, index) => [
    ...(index === 0 || joined ? [] : [{ text: " ", start, end: start, type: "spacing" }]),
    { text: word, start, end, type: "word" },
  ]);
  return [committed, { message_type: "committed_transcript_with_timestamps", text, language_code: language, words }];
}

const ERROR_TYPES: Readonly<Record<string, string>> = {
  invalid_api_key: "auth_error",
  insufficient_balance: "quota_exceeded",
  key_credit_limited: "quota_exceeded",
  rate_limited: "rate_limited",
  concurrency_limited: "rate_limited",
  key_rate_limited: "rate_limited",
  key_concurrency_limited: "rate_limited",
  overloaded: "queue_overflow",
  invalid_value: "invalid_request",
  invalid_request: "invalid_request",
};

function errorMessage(error: ApiError): object {
  const message = errorBodyIn({ ...elevenlabs, errorBody: ({ message: text }) => text }, error);
  return { message_type: ERROR_TYPES[error.code] ?? "error", error: message };
}

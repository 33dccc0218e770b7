import {
  type ApiError,
  type AsrRules,
  apiError,
  describeValue,
  isRecord,
  type ListenRequest,
  parseListenRequest,
  parseShape,
  TURN_SILENCE_MS,
} from "@parlance/protocol";
import { z } from "zod";
import type { SocketRoute } from "../../fish/live/sockets.ts";
import { languageCode } from "../../language-code.ts";
import { openJsonListening } from "../../listening/json-session.ts";
import { recognizerModel } from "../../model-choice.ts";
import { deepgram } from "../deepgram.ts";
import { createLiveResults } from "./results.ts";

const PATH = /^\/v1\/listen(?:\?(.*))?$/;
const flag = z.string().optional();
const query = z.object({
  model: z.string().optional(),
  language: z.string().optional(),
  encoding: z.string().optional(),
  sample_rate: z.coerce.number().optional(),
  channels: z.coerce.number().optional(),
  interim_results: flag,
  vad_events: flag,
  endpointing: z.string().optional(),
  utterance_end_ms: z.string().optional(),
});
type Query = z.output<typeof query>;

const FORMATS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    linear16: "pcm",
    mulaw: "ulaw",
    alaw: "alaw",
    opus: "opus",
    "ogg-opus": "opus",
  }),
);

/** WS /v1/listen: raw audio in, results out. */
export function findDeepgramSocket(url: string): SocketRoute | undefined {
  const found = PATH.exec(url);
  if (found === null) return undefined;
  return {
    dialect: deepgram.name,
    operation: "asr",
    route: "/v1/listen",
    open(socket, parts, options) {
      const given = Object.fromEntries(new URLSearchParams(found[1] ?? ""));
      const isOn = (name: string): boolean => given[name] === "true" || given[name] === "";
      const results = createLiveResults(options.traceId, {
        interim: isOn("interim_results"),
        speechStarted: isOn("vad_events"),
        utteranceEnd: given.utterance_end_ms !== undefined,
      });
      const link = openJsonListening(socket, parts, options, deepgram.name, {
        onBinary: (audio, { stream }) => (audio.length === 0 ? stream?.end() : stream?.push(audio)),
        onMessage(message, { stream }) {
          const type = isRecord(message) ? message.type : undefined;
          if (type === "Finalize") stream?.flush();
          else if (type === "CloseStream") stream?.end();
        },
        onEvent: results.messages,
        onDone: results.metadata,
        errorMessage,
      });
      try {
        link.start(() => requestOf(parseShape(query, given, "query"), parts.transcription.rules()));
      } catch {
        // The socket has been closed with the error.
      }
    },
  };
}

function requestOf(options: Query, rules: AsrRules): ListenRequest {
  const format = FORMATS.get(options.encoding ?? "");
  const refuse = (field: string, value: unknown, allowed: string): ApiError =>
    apiError("invalid_value", { field, value: describeValue(value), allowed });
  if (format === undefined)
    throw refuse("encoding", options.encoding ?? "(none)", `it must be one of ${[...FORMATS.keys()].join(", ")}`);
  if ((options.channels ?? 1) !== 1) throw refuse("channels", options.channels, "it must be 1");
  if (options.sample_rate === undefined && format !== "opus")
    throw refuse("sample_rate", "(none)", "raw audio needs it");
  const language = options.language === "multi" ? undefined : languageCode(options.language);
  const body = { format, sample_rate: options.sample_rate, language, ...turnOf(options) };
  return parseListenRequest(recognizerModel(options.model ?? "", rules.models), body, rules);
}

/** The silence that it names ends a turn; without one, the words decide. */
function turnOf({ endpointing = "true" }: Query): object {
  if (endpointing === "false") return { end_of_turn: "client" };
  const given = Number(endpointing);
  if (endpointing === "true" || !Number.isFinite(given)) return {};
  const silence = Math.min(TURN_SILENCE_MS.max, Math.max(TURN_SILENCE_MS.min, given));
  return { end_of_turn: "silence", silence_ms: silence };
}

function errorMessage({ code, message }: ApiError): object {
  return { type: "Error", variant: code.toUpperCase(), description: message, message };
}

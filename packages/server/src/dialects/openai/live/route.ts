import { parseShape } from "@parlance/protocol";
import { errorBodyIn } from "../../error-body.ts";
import type { SocketRoute } from "../../fish/live/sockets.ts";
import { openJsonListening } from "../../listening/json-session.ts";
import { openai } from "../openai.ts";
import { createItems } from "./items.ts";
import { clientMessage, readSession, type SessionSettings } from "./session-settings.ts";

const PATH = /^(?:\/compat)?\/v1\/realtime\?(.*)$/;

/** WS /v1/realtime?intent=transcription: audio in base64 in, transcripts of turns out. */
export function findOpenAiSocket(url: string): SocketRoute | undefined {
  const query = PATH.exec(url)?.[1];
  if (query === undefined || new URLSearchParams(query).get("intent") !== "transcription") return undefined;
  return {
    dialect: openai.name,
    operation: "asr",
    route: "/v1/realtime",
    open(socket, parts, options) {
      let settings: SessionSettings = {};
      let isDetected = true;
      const items = createItems(options.traceId, () => isDetected);
      const session = () => ({
        type: "transcription",
        object: "realtime.transcription_session",
        id: `sess_${options.traceId}`,
        ...settings,
      });
      const link = openJsonListening(socket, parts, options, openai.name, {
        onMessage(value, { start, reply, stream }) {
          const message = parseShape(clientMessage, value, "body");
          const begin = () => start(() => readSession(settings, parts.transcription.rules()));
          switch (message.type) {
            case "session.update":
              // The format of a stream cannot change any more.
              if (stream === undefined) settings = message.session ?? {};
              isDetected = settings.audio?.input?.turn_detection !== null;
              if (stream === undefined) readSession(settings, parts.transcription.rules());
              reply({ type: "session.updated", event_id: items.eventId(), session: session() });
              break;
            case "input_audio_buffer.append":
              begin().push(Buffer.from(message.audio ?? "", "base64"));
              break;
            case "input_audio_buffer.commit":
              items.commit();
              begin().flush();
              break;
            case "input_audio_buffer.clear":
              items.clear();
              begin().flush();
              reply({ type: "input_audio_buffer.cleared", event_id: items.eventId() });
              break;
            default:
              reply(errorMessage("unknown_event", `type: there is no event "${message.type}"`));
          }
        },
        onEvent: items.messages,
        errorMessage: (error) => {
          const body = errorBodyIn(openai, error) as { readonly error: object };
          return { type: "error", event_id: items.eventId(), ...body };
        },
      });
      link.reply({ type: "session.created", event_id: items.eventId(), session: session() });

      function errorMessage(code: string, message: string): object {
        const error = { type: "invalid_request_error", code, message, param: "type", event_id: null };
        return { type: "error", event_id: items.eventId(), error };
      }
    },
  };
}

import { type ListenRequest, parseShape } from "@parlance/protocol";
import type { LiveSocket } from "../../fish/live/live-socket.ts";
import type { SessionOptions, SessionParts } from "../../fish/live/session-parts.ts";
import { openJsonListening } from "../../listening/json-session.ts";
import { openai } from "../openai.ts";
import { commitTooSmall, createErrors, unknownEvent } from "./errors.ts";
import { createIds } from "./ids.ts";
import { createInputBuffer } from "./input-buffer.ts";
import { createItems } from "./items.ts";
import { bytesPerSecond, clientMessage, readSession, type SessionSettings } from "./session-settings.ts";

/** A session of transcription: audio in base64 in, transcripts of turns out. */
export function openTranscription(socket: LiveSocket, parts: SessionParts, options: SessionOptions): void {
  let settings: SessionSettings = {};
  let isDetected = true;
  const ids = createIds(options.traceId);
  const errors = createErrors(ids);
  const items = createItems({ ids, isDetected: () => isDetected });
  const read = (): ListenRequest => readSession(settings, parts.transcription.rules());
  const buffer = createInputBuffer(() => bytesPerSecond(read()));
  const session = () => ({
    type: "transcription",
    object: "realtime.transcription_session",
    id: `sess_${options.traceId}`,
    ...settings,
  });
  const link = openJsonListening(socket, parts, options, openai.name, {
    onMessage(value, { start, reply, stream }) {
      const message = parseShape(clientMessage, value, "body");
      switch (message.type) {
        case "session.update":
          // The format of a stream cannot change any more.
          if (stream === undefined) settings = message.session ?? {};
          isDetected = settings.audio?.input?.turn_detection !== null;
          if (stream === undefined) read();
          reply(ids.message("session.updated", { session: session() }));
          break;
        case "input_audio_buffer.append": {
          const audio = Buffer.from(message.audio ?? "", "base64");
          buffer.add(audio.length);
          start(read).push(audio);
          break;
        }
        case "input_audio_buffer.commit":
          if (buffer.take()) {
            items.commit();
            start(read).flush();
          } else reply(errors.of(commitTooSmall()));
          break;
        case "input_audio_buffer.clear":
          if (buffer.take()) {
            items.clear();
            start(read).flush();
          }
          reply(ids.message("input_audio_buffer.cleared", {}));
          break;
        default:
          reply(errors.of(unknownEvent(message.type)));
      }
    },
    onEvent: items.messages,
    errorMessage: (error) => errors.of(error),
  });
  link.reply(ids.message("session.created", { session: session() }));
}

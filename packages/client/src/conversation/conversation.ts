import { isRecord } from "@parlance/protocol";
import type { CallOptions, Connection } from "../http/connection.ts";
import { chooseSocket } from "../live/choose-socket.ts";
import { createEventStream } from "../live/event-stream.ts";
import type { Socket, SocketEvents } from "../live/socket.ts";
import type { ConversationEvent, ConversationOptions, ConversationSession, Conversations } from "./types.ts";

const PATH = "/v1/realtime";
const TURN_ENDS = { words: { type: "semantic_vad" }, silence: { type: "server_vad" }, client: null } as const;

export function createConversations(connection: Connection, given?: typeof WebSocket): Conversations {
  const { open } = chooseSocket(given);
  async function start(options: ConversationOptions = {}, call: CallOptions = {}): Promise<ConversationSession> {
    const url = connection.base.replace(/^http/, "ws") + PATH;
    const headers = connection.headers(call);
    let session: ConversationSession | undefined;
    await open({ url, headers, timeoutMs: connection.timeoutMs, signal: call.signal }, (socket) => {
      const managed = manageConversation(socket, call);
      managed.session.post({ type: "session.update", session: sessionOf(options) });
      session = managed.session;
      return managed.events;
    });
    if (session === undefined) throw new Error("the socket was opened without being attached");
    return session;
  }
  return Object.assign(start, {
    available: (call: CallOptions = {}) => connection.json("GET", PATH, { parse: isAvailable }, call),
  });
}

const isAvailable = (body: unknown): boolean =>
  isRecord(body) && Array.isArray(body.modalities) && body.modalities.length > 0;

function sessionOf({ instructions, voice, language, endOfTurn = "words", output = "audio" }: ConversationOptions) {
  return {
    type: "realtime",
    output_modalities: [output],
    ...(instructions === undefined ? {} : { instructions }),
    audio: {
      input: { transcription: { language }, turn_detection: TURN_ENDS[endOfTurn] },
      output: voice === undefined ? {} : { voice },
    },
  };
}

function manageConversation(socket: Socket, { signal }: CallOptions) {
  const stream = createEventStream<ConversationEvent>(socket, signal);
  const post: ConversationSession["post"] = (message) => {
    if (!stream.isOver) socket.send(JSON.stringify(message));
  };
  const session: ConversationSession = {
    traceId: socket.traceId,
    send(audio) {
      const bytes = new Uint8Array(audio.buffer, audio.byteOffset, audio.byteLength);
      post({ type: "input_audio_buffer.append", audio: toBase64(bytes) });
    },
    commit: () => post({ type: "input_audio_buffer.commit" }),
    write(text) {
      const content = [{ type: "input_text", text }];
      post({ type: "conversation.item.create", item: { type: "message", role: "user", content } });
      post({ type: "response.create" });
    },
    cancel: () => post({ type: "response.cancel" }),
    truncate: (itemId, milliseconds) =>
      post({
        type: "conversation.item.truncate",
        item_id: itemId,
        content_index: 0,
        audio_end_ms: Math.max(0, Math.floor(milliseconds)),
      }),
    post,
    close() {
      stream.end();
      socket.close();
    },
    [Symbol.asyncIterator]: () => stream.read(session.close),
  };
  const events: SocketEvents = {
    message(data) {
      const event = typeof data === "string" ? parseEvent(data) : undefined;
      if (event !== undefined) stream.push(event, data.length);
    },
    closed: stream.closed,
  };
  return { session, events };
}

function parseEvent(data: string): ConversationEvent | undefined {
  const value: unknown = JSON.parse(data);
  const isEvent = typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
  return isEvent ? (value as ConversationEvent) : undefined;
}

/** In pieces: the arguments of a call are limited in number. */
function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(text);
}

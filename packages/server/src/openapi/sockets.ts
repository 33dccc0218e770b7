import { LISTEN_PATH, LIVE_PATH, LIVE_TIMESTAMPS_PATH } from "@parlance/protocol";
import type { JsonSchema } from "./types.ts";

/** A frame of a live socket, as the page shows it and as AsyncAPI describes it. */
export interface SocketFrame {
  readonly from: "client" | "server";
  readonly event: string;
  readonly description: string;
  /** Beside `event`. */
  readonly fields: Readonly<Record<string, JsonSchema>>;
  /** Fields that may be absent. */
  readonly optional?: readonly string[];
}

export interface SocketDocs {
  readonly id: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly frames: readonly SocketFrame[];
}

const bytes: JsonSchema = { type: "string", format: "binary", description: "MessagePack binary." };
const text: JsonSchema = { type: "string" };
const time: JsonSchema = { type: "number", description: "Seconds in the audio." };
const words: JsonSchema = {
  type: "array",
  items: { type: "object", properties: { text, start: time, end: time } },
  description: "The words with their times.",
};
const finish: SocketFrame = {
  from: "server",
  event: "finish",
  description: "The end of the round. `reason` is `stop` or `error`.",
  fields: { reason: { type: "string", enum: ["stop", "error"] }, message: text },
  optional: ["message"],
};
const FRAMES =
  "Binary MessagePack frames. `Authorization`, `model` (optional) and `traceparent` are headers of the upgrade; an upgrade that is refused gets an HTTP error.";

/** OpenAPI cannot describe a WebSocket, so the live sockets have a table of their own. */
export const SOCKETS: readonly SocketDocs[] = [
  {
    id: "live",
    path: LIVE_PATH,
    summary: "Text to speech while the text is being written",
    description: `${FRAMES} \`${LIVE_TIMESTAMPS_PATH}\` adds \`content\`, \`alignment\`, \`chunk_seq\` and \`chunk_audio_offset_sec\` to each audio frame.`,
    frames: [
      {
        from: "client",
        event: "start",
        description: "Starts a round. The fields of `/v1/tts`; `text` is optional.",
        fields: { request: { type: "object", description: "The fields of `POST /v1/tts`." } },
      },
      { from: "client", event: "text", description: "A piece of the text, of any length.", fields: { text } },
      { from: "client", event: "flush", description: "Speak everything received so far.", fields: {} },
      {
        from: "client",
        event: "stop",
        description: "Speak the rest, then finish. Another `start` may follow.",
        fields: {},
      },
      {
        from: "server",
        event: "audio",
        description: "The next bytes of the file, and the milliseconds since `start`.",
        fields: { audio: bytes, time: { type: "number", description: "Milliseconds since `start`." } },
      },
      finish,
    ],
  },
  {
    id: "listen",
    path: LISTEN_PATH,
    summary: "Speech to text while it is being spoken",
    description: FRAMES,
    frames: [
      {
        from: "client",
        event: "start",
        description: "`format`, `sample_rate`, `language`, `partials`, `end_of_turn` and its times.",
        fields: { request: { type: "object", description: "How the audio is encoded, and when a turn ends." } },
      },
      { from: "client", event: "audio", description: "The next bytes of the audio.", fields: { audio: bytes } },
      { from: "client", event: "flush", description: "The turn ends here.", fields: {} },
      { from: "client", event: "stop", description: "Recognize the rest, then finish.", fields: {} },
      {
        from: "server",
        event: "partial",
        description: "The text so far; the first `stable` words will not change.",
        fields: { text, stable: { type: "integer" }, words },
      },
      {
        from: "server",
        event: "segment",
        description: "Final text with the times of its words.",
        fields: { text, words, ends_turn: { type: "boolean" } },
      },
      { from: "server", event: "speech_started", description: "The start of a turn.", fields: { time } },
      { from: "server", event: "speech_stopped", description: "The end of a turn.", fields: { time } },
      {
        ...finish,
        description: "The end of the stream; the socket closes.",
        fields: { ...finish.fields, code: text },
        optional: ["message", "code"],
      },
    ],
  },
];

/** `{event: "audio", audio, time}`. */
export function frameShape({ event, fields, optional = [] }: SocketFrame): string {
  const names = Object.keys(fields).map((name) => `, ${name}${optional.includes(name) ? "?" : ""}`);
  return `{event: "${event}"${names.join("")}}`;
}

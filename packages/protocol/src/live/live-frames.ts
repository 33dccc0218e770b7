import { z } from "zod";
import { DEFAULT_MODEL } from "../tts/models.ts";
import { timestampFields } from "../tts/timestamp-event.ts";
import { parseTtsRequest, type TtsRequest, type TtsRules } from "../tts/tts-request.ts";
import { ApiError, apiError, shapeError } from "../wire/api-error.ts";
import { decodeMessagePack, encodeMessagePack } from "../wire/message-pack.ts";
import { checkUtf8 } from "../wire/message-pack-scan.ts";
import { readFrame } from "../wire/read-frame.ts";
import { isRecord, parseShape } from "../wire/shape.ts";
import { decodeTextPiece } from "./live-text.ts";

export const LIVE_PATH = "/v1/tts/live";
export const LIVE_TIMESTAMPS_PATH = "/v1/tts/live/with-timestamp";

/** Frames of the client. A round lasts from `start` to `finish`. */
const clientFrames = {
  /** The request is checked by `parseLiveStart`, when the round starts. */
  start: z.object({ event: z.literal("start"), request: z.unknown() }),
  text: z.object({ event: z.literal("text"), text: z.string() }),
  flush: z.object({ event: z.literal("flush") }),
  stop: z.object({ event: z.literal("stop") }),
} as const;

export type ClientEvent = keyof typeof clientFrames;
export type ClientFrame = { [Event in ClientEvent]: z.output<(typeof clientFrames)[Event]> }[ClientEvent];

const bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array, { error: "Expected bytes" });

/** Frames of the server. On the socket with timestamps, `audio` has the fields of a timestamp event. */
export const serverFrame = z.discriminatedUnion("event", [
  z.object({
    event: z.literal("audio"),
    audio: bytes,
    /** Milliseconds since the start. */
    time: z.number(),
    ...timestampFields.partial().shape,
  }),
  z.object({
    event: z.literal("finish"),
    reason: z.enum(["stop", "error"]),
    message: z.string().optional(),
  }),
  z.object({ event: z.literal("log"), message: z.string() }),
]);

export type ServerFrame = z.output<typeof serverFrame>;
export type AudioFrame = Extract<ServerFrame, { event: "audio" }>;
export type FinishFrame = Extract<ServerFrame, { event: "finish" }>;

export function encodeLiveFrame(frame: ClientFrame | ServerFrame): Uint8Array<ArrayBuffer> {
  return encodeMessagePack(frame);
}

/** Undefined for an unknown event. Throws `unreadable_frame`, or the 422 that lists what is wrong. */
export function decodeClientFrame(data: Uint8Array): ClientFrame | undefined {
  const frame = readFrame(() => decodeWithPieces(data));
  if (!isRecord(frame)) throw apiError("unreadable_frame", { reason: "it is not a map" });
  const { event } = frame;
  if (typeof event !== "string" || !isClientEvent(event)) return undefined;
  return parseShape(clientFrames[event], frame, "body");
}

/** Undefined for an unknown event. */
export function decodeServerFrame(data: Uint8Array): ServerFrame | undefined {
  const frame = readFrame(() => decodeMessagePack(data));
  const parsed = serverFrame.safeParse(frame);
  if (parsed.success) return parsed.data;
  if (isRecord(frame) && ["audio", "finish", "log"].includes(String(frame.event))) {
    throw apiError("unreadable_frame", { reason: z.prettifyError(parsed.error) });
  }
  return undefined;
}

/** Parses the request of a `start`. On the socket the model may be left out, and the text follows later. */
export function parseLiveStart(model: string | undefined, request: unknown, rules: TtsRules): TtsRequest {
  if (!isRecord(request)) {
    throw shapeError([{ loc: ["request"], type: "object_type", msg: "Expected an object", in: "body" }]);
  }
  const body = { ...request, text: request.text ?? "" };
  return parseTtsRequest(liveModel(model, rules), body, rules);
}

export function liveModel(header: string | undefined, { defaultModel = DEFAULT_MODEL }: TtsRules): string {
  return header === undefined || header === "" ? defaultModel : header;
}

function isClientEvent(event: string): event is ClientEvent {
  return Object.hasOwn(clientFrames, event);
}

/** The text of a frame, or of its request, may be cut inside a surrogate pair; nothing else may. */
function decodeWithPieces(data: Uint8Array): unknown {
  const keys: string[] = [];
  const pieces = new Map<string, string>();
  const frame = decodeMessagePack(data, (string, isKey, depth) => {
    const path = keys.slice(1, depth + 1).join(".");
    if (!isKey && depth <= 2 && (path === "text" || path === "request.text")) pieces.set(path, decodeTextPiece(string));
    else checkUtf8(string);
    if (isKey) keys[depth] = String.fromCharCode(...string.subarray(0, 8));
  });
  if (!isRecord(frame)) return frame;
  const { request } = frame;
  return {
    ...withPiece(frame, pieces.get("text")),
    ...(isRecord(request) ? { request: withPiece(request, pieces.get("request.text")) } : {}),
  };
}

function withPiece(holder: Readonly<Record<string, unknown>>, piece: string | undefined) {
  return piece !== undefined && typeof holder.text === "string" ? { ...holder, text: piece } : holder;
}

/** Whether the frame could not be decoded, as opposed to one with an invalid request. */
export function isUnreadable(error: unknown): boolean {
  return error instanceof ApiError && error.code === "unreadable_frame";
}

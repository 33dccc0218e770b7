import { z } from "zod";
import { apiError } from "../wire/api-error.ts";
import { decodeMessagePack, encodeMessagePack } from "../wire/message-pack.ts";
import { checkUtf8 } from "../wire/message-pack-scan.ts";
import { readFrame } from "../wire/read-frame.ts";
import { isRecord, parseShape } from "../wire/shape.ts";

/** Audio in while it is spoken, text out. The mirror of the live socket for speech. */
export const LISTEN_PATH = "/v1/asr/live";

const bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array, { error: "Expected bytes" });

/** Frames of the client. */
const clientFrames = {
  /** The request is checked by `parseListenRequest`. */
  start: z.object({ event: z.literal("start"), request: z.unknown() }),
  audio: z.object({ event: z.literal("audio"), audio: bytes }),
  /** The turn ends here. */
  flush: z.object({ event: z.literal("flush") }),
  stop: z.object({ event: z.literal("stop") }),
} as const;
type ListenEvent = keyof typeof clientFrames;
export type ListenClientFrame = { [Event in ListenEvent]: z.output<(typeof clientFrames)[Event]> }[ListenEvent];

const word = z.object({ text: z.string(), start: z.number(), end: z.number() });
const text = {
  /** Counted from 0. Partial texts have the number of the segment that they become. */
  segment: z.number(),
  text: z.string(),
  words: z.array(word),
  /** Seconds from the start of the audio. */
  start: z.number(),
  end: z.number(),
  /** ISO 639-1. */
  language_code: z.string(),
};

/** Frames of the server. */
export const listenServerFrame = z.discriminatedUnion("event", [
  z.object({ event: z.literal("speech_started"), time: z.number() }),
  z.object({ event: z.literal("speech_stopped"), time: z.number() }),
  /** The first `stable` words will not change any more. */
  z.object({ event: z.literal("partial"), stable: z.number(), ...text }),
  z.object({ event: z.literal("segment"), ends_turn: z.boolean(), ...text }),
  /** Everything before a `flush` was sent. */
  z.object({ event: z.literal("flushed"), time: z.number() }),
  z.object({
    event: z.literal("finish"),
    reason: z.enum(["stop", "error"]),
    message: z.string().optional(),
    /** As in the header `x-error-code`. */
    code: z.string().optional(),
    /** With an error that a later try may not have. */
    retry_after: z.number().optional(),
    /** Seconds of audio. */
    duration: z.number().optional(),
  }),
]);
export type ListenServerFrame = z.output<typeof listenServerFrame>;
export type ListenFinishFrame = Extract<ListenServerFrame, { event: "finish" }>;

export function encodeListenFrame(frame: ListenClientFrame | ListenServerFrame): Uint8Array<ArrayBuffer> {
  return encodeMessagePack(frame);
}

/** Undefined for an unknown event. Throws `unreadable_frame`, or the 422 that lists what is wrong. */
export function decodeListenClientFrame(data: Uint8Array): ListenClientFrame | undefined {
  const frame = readFrame(() => decodeMessagePack(data, (string) => checkUtf8(string)));
  if (!isRecord(frame)) throw apiError("unreadable_frame", { reason: "it is not a map" });
  const { event } = frame;
  if (typeof event !== "string" || !Object.hasOwn(clientFrames, event)) return undefined;
  return parseShape(clientFrames[event as ListenEvent], frame, "body");
}

/** Undefined for an unknown event. */
export function decodeListenServerFrame(data: Uint8Array): ListenServerFrame | undefined {
  const parsed = listenServerFrame.safeParse(readFrame(() => decodeMessagePack(data)));
  return parsed.success ? parsed.data : undefined;
}

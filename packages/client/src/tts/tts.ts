import {
  DEFAULT_MODEL,
  encodeMessagePack,
  MESSAGE_PACK_TYPE,
  TRACE_ID_HEADER,
  type TtsInput,
} from "@parlance/protocol";
import type { CallOptions, Connection } from "../http/connection.ts";
import { readBody } from "../http/read-body.ts";
import { readTimedAudio, type TimedAudio } from "./timed-audio.ts";

export interface TtsRequestInput extends TtsInput {
  /** `s2-pro` unless the client was given another one. */
  readonly model?: string | undefined;
}

/** Audio while it is being made. It can be read once. */
export interface SpeechStream extends AsyncIterable<Uint8Array> {
  readonly contentType: string;
  readonly traceId: string | undefined;
  readonly headers: Headers;
}

/** Audio with the times of its words, while it is being made. It can be read once. */
export interface TimedSpeechStream extends AsyncIterable<TimedAudio> {
  readonly traceId: string | undefined;
  readonly headers: Headers;
}

export interface Tts {
  /** Resolves when the first audio is there. */
  stream(request: TtsRequestInput, call?: CallOptions): Promise<SpeechStream>;
  /** Resolves when the first audio is there. */
  streamWithTimestamps(request: TtsRequestInput, call?: CallOptions): Promise<TimedSpeechStream>;
  /** Resolves with the whole file. */
  convert(request: TtsRequestInput, call?: CallOptions): Promise<Uint8Array<ArrayBuffer>>;
}

export function createTts(connection: Connection, usualModel: string = DEFAULT_MODEL): Tts {
  const ask = async (path: string, { model = usualModel, ...body }: TtsRequestInput, call: CallOptions) => {
    const headers = { model, "content-type": MESSAGE_PACK_TYPE };
    const answer = await connection.send("POST", path, { headers, body: encodeMessagePack(body) }, call);
    const bytes = readBody(answer, connection.timeoutMs, call.signal);
    const { headers: received } = answer.response;
    return { bytes, headers: received, traceId: received.get(TRACE_ID_HEADER) ?? undefined };
  };
  const stream = async (request: TtsRequestInput, call: CallOptions = {}): Promise<SpeechStream> => {
    const { bytes, headers, traceId } = await ask("/v1/tts", request, call);
    const contentType = headers.get("content-type") ?? "";
    return { contentType, traceId, headers, [Symbol.asyncIterator]: () => bytes };
  };
  return {
    stream,
    async streamWithTimestamps(request, call = {}) {
      const { bytes, headers, traceId } = await ask("/v1/tts/stream/with-timestamp", request, call);
      const events = readTimedAudio(bytes, traceId);
      return { traceId, headers, [Symbol.asyncIterator]: () => events };
    },
    async convert(request, call) {
      const parts: Uint8Array[] = [];
      for await (const part of await stream(request, call)) parts.push(part);
      return join(parts);
    },
  };
}

function join(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

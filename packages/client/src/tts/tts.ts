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
  /** By default the model of the client, or `s2-pro`. */
  readonly model?: string | undefined;
}

/** Audio while it is being synthesized. It can be read once. */
export interface SpeechStream extends AsyncIterable<Uint8Array> {
  readonly contentType: string;
  readonly traceId: string | undefined;
  readonly headers: Headers;
}

/** Audio with word timestamps, while it is being synthesized. It can be read once. */
export interface TimedSpeechStream extends AsyncIterable<TimedAudio> {
  readonly traceId: string | undefined;
  readonly headers: Headers;
}

/** Text to speech over HTTP. */
export interface Tts {
  /**
   * Speaks a text. Resolves when the first audio has arrived.
   *
   * @example
   * ```ts
   * const speech = await client.tts.stream({ text: "Hello!", format: "pcm", sample_rate: 24_000 });
   * for await (const bytes of speech) process.stdout.write(bytes);
   * ```
   */
  stream(request: TtsRequestInput, call?: CallOptions): Promise<SpeechStream>;
  /**
   * Speaks a text, with the times of its words. Resolves when the first audio has arrived.
   *
   * @example
   * ```ts
   * const speech = await client.tts.streamWithTimestamps({ text: "Hello there!" });
   * for await (const { alignment, chunk_audio_offset_sec } of speech) {
   *   for (const { text, start } of alignment?.segments ?? []) console.log(text, chunk_audio_offset_sec + start);
   * }
   * ```
   */
  streamWithTimestamps(request: TtsRequestInput, call?: CallOptions): Promise<TimedSpeechStream>;
  /**
   * Speaks a text and resolves with the whole file.
   *
   * @example
   * ```ts
   * import { writeFile } from "node:fs/promises";
   *
   * await writeFile("hello.mp3", await client.tts.convert({ text: "Hello!", reference_id: "af_heart" }));
   * ```
   */
  convert(request: TtsRequestInput, call?: CallOptions): Promise<Uint8Array<ArrayBuffer>>;
}

export function createTts(connection: Connection, defaultModel: string = DEFAULT_MODEL): Tts {
  const request = async (path: string, { model = defaultModel, ...body }: TtsRequestInput, call: CallOptions) => {
    const headers = { model, "content-type": MESSAGE_PACK_TYPE };
    const received = await connection.send("POST", path, { headers, body: encodeMessagePack(body) }, call);
    const bytes = readBody(received, connection.timeoutMs, call.signal);
    const { headers: responseHeaders } = received.response;
    return { bytes, headers: responseHeaders, traceId: responseHeaders.get(TRACE_ID_HEADER) ?? undefined };
  };
  const stream = async (input: TtsRequestInput, call: CallOptions = {}): Promise<SpeechStream> => {
    const { bytes, headers, traceId } = await request("/v1/tts", input, call);
    const contentType = headers.get("content-type") ?? "";
    return { contentType, traceId, headers, [Symbol.asyncIterator]: () => bytes };
  };
  return {
    stream,
    async streamWithTimestamps(input, call = {}) {
      const { bytes, headers, traceId } = await request("/v1/tts/stream/with-timestamp", input, call);
      const events = readTimedAudio(bytes, traceId);
      return { traceId, headers, [Symbol.asyncIterator]: () => events };
    },
    async convert(input, call) {
      const parts: Uint8Array[] = [];
      for await (const part of await stream(input, call)) parts.push(part);
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

import {
  DEFAULT_MODEL,
  encodeMessagePack,
  MESSAGE_PACK_TYPE,
  TRACE_ID_HEADER,
  type TtsInput,
} from "@parlance/protocol";
import type { CallOptions, Connection } from "./connection.ts";
import { readBody } from "./read-body.ts";

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

export interface Tts {
  /** Resolves when the first audio is there. */
  stream(request: TtsRequestInput, call?: CallOptions): Promise<SpeechStream>;
  /** Resolves with the whole file. */
  convert(request: TtsRequestInput, call?: CallOptions): Promise<Uint8Array<ArrayBuffer>>;
}

export function createTts(connection: Connection, usualModel: string = DEFAULT_MODEL): Tts {
  const stream = async (
    { model = usualModel, ...body }: TtsRequestInput,
    call: CallOptions = {},
  ): Promise<SpeechStream> => {
    const headers = { model, "content-type": MESSAGE_PACK_TYPE };
    const answer = await connection.post("/v1/tts", headers, encodeMessagePack(body), call);
    const bytes = readBody(answer, connection.timeoutMs, call.signal);
    return {
      contentType: answer.response.headers.get("content-type") ?? "",
      traceId: answer.response.headers.get(TRACE_ID_HEADER) ?? undefined,
      headers: answer.response.headers,
      [Symbol.asyncIterator]: () => bytes,
    };
  };
  return {
    stream,
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

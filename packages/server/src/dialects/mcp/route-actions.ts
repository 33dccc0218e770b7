import {
  asrResult,
  DEFAULT_MODEL,
  encodeMessagePack,
  isRecord,
  MESSAGE_PACK_TYPE,
  toSpokenText,
  voicePage,
} from "@parlance/protocol";
import { readBody } from "../../lib/read-body.ts";
import { MAX_LISTED_VOICES, type ToolActions } from "./tools.ts";

/** A result is kept whole, in base64 and in JSON. The longest text is smaller than this as mp3. */
const MAX_RESULT_BYTES = 32 * 1024 * 1024;
const TOO_LARGE = "The audio is over 32 MiB: choose the format mp3 or opus, or send a shorter text";

interface RouteCall {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Left out: a GET. */
  readonly body?: Readonly<Record<string, unknown>>;
}

/**
 * The tools as requests to the routes of this server, with the key of the client: the same checks, limits, charges, logs and
 * traces apply. `disconnect` is aborted when the client has disconnected.
 */
export function createRouteActions(origin: string, authorization: string, disconnect: AbortSignal): ToolActions {
  const call = async ({ url, headers = {}, body }: RouteCall, signal: AbortSignal): Promise<Buffer> => {
    const response = await fetch(origin + url, {
      headers: { authorization, ...headers, ...(body && { "content-type": MESSAGE_PACK_TYPE }) },
      ...(body && { method: "POST", body: encodeMessagePack(body) }),
      signal: AbortSignal.any([signal, disconnect]),
    });
    const payload = await readBody(response, MAX_RESULT_BYTES);
    if (payload === undefined) throw new Error(TOO_LARGE);
    if (!response.ok) throw new Error(messageOf(payload, response.status));
    return payload;
  };
  return {
    async speak({ text, voice, format, speed }, signal) {
      const prosody = speed === undefined ? {} : { prosody: { speed } };
      const body = { text, format, latency: "normal", ...(voice && { reference_id: voice }), ...prosody };
      return call({ url: "/v1/tts", headers: { model: DEFAULT_MODEL }, body }, signal);
    },
    async transcribe(audio, { language, speakers }, signal) {
      const body = { audio, speakers, ignore_timestamps: speakers === false, ...(language && { language }) };
      const { text, segments } = asrResult.parse(JSON.parse((await call({ url: "/v1/asr", body }, signal)).toString()));
      return toSpokenText(text, segments);
    },
    async listVoices({ language, title }, signal) {
      const query = new URLSearchParams({ page_size: String(MAX_LISTED_VOICES) });
      if (language !== undefined) query.set("language", language);
      if (title !== undefined) query.set("title", title);
      const page = await call({ url: `/model?${query}` }, signal);
      const { items } = voicePage.parse(JSON.parse(page.toString()));
      return items.map(({ _id: id, title: name, languages }) => ({ id, title: name, languages }));
    },
  };
}

function messageOf(payload: Buffer, status: number): string {
  const body: unknown = JSON.parse(payload.toString());
  if (isRecord(body) && typeof body.message === "string") return body.message;
  return `status ${status}: ${payload.toString().slice(0, 500)}`;
}

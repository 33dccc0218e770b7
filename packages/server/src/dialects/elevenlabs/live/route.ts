import { parseShape } from "@parlance/protocol";
import type { SocketRoute } from "../../fish/live/sockets.ts";
import { elevenlabs } from "../elevenlabs.ts";
import { parseMessage } from "./messages.ts";
import { errorMessage, openContexts } from "./session.ts";
import { type SocketQuery, socketQuery } from "./socket-query.ts";

const PATH = /^\/v1\/text-to-speech\/([^/?]{1,200})\/(stream-input|multi-stream-input)(?:\?(.*))?$/;

/** The sockets for text that is still being written: with one text, and with several at a time. */
export function findElevenLabsSocket(url: string): SocketRoute | undefined {
  const [, voice, kind, query = ""] = PATH.exec(url) ?? [];
  if (voice === undefined || kind === undefined) return undefined;
  const parameters = new URLSearchParams(query);
  return {
    dialect: elevenlabs.name,
    route: `/v1/text-to-speech/{voice_id}/${kind}`,
    lateKey: {
      inAddress: asHeader(parameters.get("xi-api-key"), parameters.get("authorization")),
      inMessage(data) {
        const { xi_api_key: key, authorization } = parseMessage(data);
        return asHeader(key, authorization);
      },
      sendError: (socket, error) => socket.send(JSON.stringify(errorMessage(error)), () => {}),
    },
    open(socket, parts, options) {
      const read = (): SocketQuery => parseShape(socketQuery, Object.fromEntries(parameters), "query");
      openContexts(socket, parts, options, { voice: decode(voice), isMulti: kind !== "stream-input", read });
    },
  };
}

/** A key alone, or with the scheme that some clients put before it. */
function asHeader(...keys: readonly (string | null | undefined)[]): string | undefined {
  const key = keys.find((each) => each != null && each !== "");
  if (key == null) return undefined;
  return /^(?:bearer|token) /i.test(key) ? key : `Bearer ${key}`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

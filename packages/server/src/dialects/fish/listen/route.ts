import { LISTEN_PATH } from "@parlance/protocol";
import type { SocketRoute } from "../live/sockets.ts";
import { openListening } from "./session.ts";

/** WS /v1/asr/live: audio in while it is spoken, text out. */
export function findListenSocket(url: string): SocketRoute | undefined {
  if (url.split("?", 1)[0] !== LISTEN_PATH) return undefined;
  return { dialect: "fish", operation: "asr", route: LISTEN_PATH, open: openListening };
}

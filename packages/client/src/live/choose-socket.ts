import { openNodeSocket } from "./node-socket.ts";
import { plainSockets } from "./plain-socket.ts";
import type { OpenSocket } from "./socket.ts";

/** The sockets of this environment, and whether they can send headers. */
export function chooseSocket(given: typeof WebSocket | undefined): {
  readonly open: OpenSocket;
  readonly setsHeaders: boolean;
} {
  const host: { readonly process?: { readonly versions?: { readonly node?: string } } } = globalThis;
  const inNode = host.process?.versions?.node !== undefined;
  if (given === undefined && inNode) return { open: openNodeSocket, setsHeaders: true };
  return { open: plainSockets(given ?? globalThis.WebSocket), setsHeaders: false };
}

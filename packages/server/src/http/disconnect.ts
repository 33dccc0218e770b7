import type { FastifyReply } from "fastify";
import type { ActiveRequests } from "./active-requests.ts";

/** Why work was stopped: it has no reader any more. Whatever else stops it is a matter of ours. */
export class ClientDisconnected extends Error {
  constructor() {
    super("the caller has gone");
    this.name = "ClientDisconnected";
  }
}

/** A controller that is aborted as soon as nobody waits for the answer any more. */
export function abortOnDisconnect(reply: FastifyReply, activeRequests: ActiveRequests): AbortController {
  const controller = new AbortController();
  const done = activeRequests.add(controller);
  const gone = (): void => {
    done();
    controller.abort(new ClientDisconnected());
  };
  reply.raw.once("close", gone);
  if (reply.raw.destroyed) gone();
  return controller;
}

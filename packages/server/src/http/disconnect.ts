import type { FastifyReply } from "fastify";
import type { ActiveRequests } from "./active-requests.ts";

/** The abort reason when the client has closed the connection. */
export class ClientDisconnected extends Error {
  constructor() {
    super("the client has disconnected");
    this.name = "ClientDisconnected";
  }
}

/** A controller that is aborted when the client disconnects. */
export function abortOnDisconnect(reply: FastifyReply, activeRequests: ActiveRequests): AbortController {
  const controller = new AbortController();
  const done = activeRequests.add(controller);
  const onClose = (): void => {
    done();
    // An earlier abort has ended the response; a finished one is closed too.
    if (!controller.signal.aborted && !reply.raw.writableFinished) reply.request.facts.disconnected = true;
    controller.abort(new ClientDisconnected());
  };
  reply.raw.once("close", onClose);
  if (reply.raw.destroyed) onClose();
  return controller;
}

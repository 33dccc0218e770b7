import type { FastifyReply } from "fastify";
import type { Running } from "./running.ts";

/** Why work was stopped: it has no reader any more. Whatever else stops it is a matter of ours. */
export class CallerGone extends Error {
  constructor() {
    super("the caller has gone");
    this.name = "CallerGone";
  }
}

/** A controller that is aborted as soon as nobody waits for the answer any more. */
export function stopWhenGone(reply: FastifyReply, running: Running): AbortController {
  const controller = new AbortController();
  const done = running.add(controller);
  const gone = (): void => {
    done();
    controller.abort(new CallerGone());
  };
  reply.raw.once("close", gone);
  if (reply.raw.destroyed) gone();
  return controller;
}

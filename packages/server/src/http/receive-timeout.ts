import type { FastifyInstance } from "fastify";
import { sendRawResponse } from "./raw-response.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The route watches over its own body, which may take longer than others. */
    readonly slowBody?: boolean;
  }
}

/** How long the head of any request may take, and the whole of an ordinary one. */
export const RECEIVE_TIMEOUT_MS = 60_000;

/** A request has to arrive in this time; how long its answer takes is another matter. */
export function limitReceiveTime(app: FastifyInstance, milliseconds: number = RECEIVE_TIMEOUT_MS): void {
  app.addHook("onRequest", async (request, reply) => {
    const { raw } = request;
    if (raw.complete || request.routeOptions.config.slowBody === true) return;
    const timer = setTimeout(() => {
      if (raw.complete || reply.raw.headersSent) return;
      const body = { status: 408, message: "The request took too long to arrive" };
      // Those of every answer are there already.
      const headers = Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]);
      sendRawResponse(raw.socket, 408, Object.fromEntries(headers), body);
    }, milliseconds);
    reply.raw.once("close", () => clearTimeout(timer));
  });
}

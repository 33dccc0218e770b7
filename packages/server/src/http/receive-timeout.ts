import type { FastifyInstance } from "fastify";
import { sendRawResponse } from "./raw-response.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The route limits the time of its body itself. */
    readonly slowBody?: boolean;
  }
}

/** The time for the head of any request, and for the whole of an ordinary one. */
export const RECEIVE_TIMEOUT_MS = 60_000;

/** Limits the time in which a request has to arrive. The time of its response is not limited here. */
export function limitReceiveTime(app: FastifyInstance, milliseconds: number = RECEIVE_TIMEOUT_MS): void {
  app.addHook("onRequest", async (request, reply) => {
    const { raw } = request;
    if (raw.complete || request.routeOptions.config.slowBody === true) return;
    const timer = setTimeout(() => {
      if (raw.complete || reply.raw.headersSent) return;
      const body = { status: 408, message: "The request took too long to arrive" };
      // The common headers are set already.
      const headers = Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]);
      sendRawResponse(raw.socket, 408, Object.fromEntries(headers), body);
    }, milliseconds);
    reply.raw.once("close", () => clearTimeout(timer));
  });
}

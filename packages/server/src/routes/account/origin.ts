import type { FastifyRequest } from "fastify";
import type { Origin } from "../../services/identity/sessions.ts";

export function originOf(request: FastifyRequest): Origin {
  return { address: request.ip, userAgent: request.headers["user-agent"] };
}

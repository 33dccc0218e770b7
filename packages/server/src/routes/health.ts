import { apiError } from "@parlance/protocol";
import type { Speech } from "@parlance/speech";
import type { FastifyInstance } from "fastify";
import type { Running } from "../http/running.ts";

export interface HealthParts {
  readonly speech: Speech;
  /** Throws when the database cannot be read. */
  readonly ping: () => Promise<void>;
  readonly running: Running;
}

/** live: the process answers · ready: it can speak, and takes requests. */
export function healthRoutes(app: FastifyInstance, { speech, ping, running }: HealthParts): void {
  app.get("/health/live", async () => ({ status: "ok" }));
  app.get("/health/ready", async () => {
    if (running.draining) throw apiError("draining", {}, { retryAfterSeconds: 5 });
    if (speech.defaultVoice() === undefined) {
      throw apiError("not_ready", { missing: "no voice is installed" }, { retryAfterSeconds: 10 });
    }
    await ping();
    return { status: "ok" };
  });
}

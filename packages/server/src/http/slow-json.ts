import type { FastifyReply, FastifyRequest } from "fastify";
import { openResponseStream } from "./response-stream.ts";
import { settlesWithin } from "./timeouts.ts";

export interface SlowJsonOptions {
  /** Aborting it ends the work. */
  readonly controller: AbortController;
  /** How long the reader may take nothing at all. */
  readonly readerTimeoutMs: number;
  /** How often the client gets a sign that its request is being worked on. */
  readonly keepAliveMs?: number | undefined;
}

/** Well below the five minutes after which many clients give up, and the minute of some proxies. */
const KEEP_ALIVE_MS = 25_000;
/** For the next byte. The work has a limit of its own. */
const BYTE_TIMEOUT_MS = 900_000;

/**
 * Sends the result of work that may take minutes. After a while the response begins with spaces, which JSON allows, so that
 * clients and proxies with a timeout wait for the rest. An error after that can only end the connection.
 */
export async function sendSlowJson(
  request: FastifyRequest,
  reply: FastifyReply,
  work: Promise<object>,
  { controller, readerTimeoutMs, keepAliveMs = KEEP_ALIVE_MS }: SlowJsonOptions,
): Promise<FastifyReply> {
  const { signal } = controller;
  if (await settlesWithin(work, signal, keepAliveMs)) return reply.send(await work);
  async function* bytes(): AsyncGenerator<Uint8Array> {
    do yield Buffer.from(" ");
    while (!(await settlesWithin(work, signal, keepAliveMs)));
    yield Buffer.from(JSON.stringify(await work));
  }
  const stream = await openResponseStream(bytes(), {
    controller,
    readerTimeoutMs,
    engineTimeoutMs: BYTE_TIMEOUT_MS,
    onEnd: async () => request.slot?.release(),
    onFault() {
      request.facts.failed = true;
    },
  });
  return reply.type("application/json; charset=utf-8").send(stream);
}

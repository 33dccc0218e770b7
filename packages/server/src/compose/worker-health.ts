import { createServer } from "node:http";
import type { Worker } from "@parlance/speech";
import { type Listener, listen } from "../lib/listen.ts";

export type WorkerHealth = Listener;

const TIMEOUT_MS = 5_000;

/** Answers probes of a worker machine: whether it runs, and whether it is connected and has an engine. */
export async function listenForProbes(
  worker: Pick<Worker, "connected" | "offers">,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<WorkerHealth> {
  const isReady = (): boolean => worker.connected && worker.offers().some((kind) => kind.startsWith("speech."));
  const server = createServer({ requestTimeout: TIMEOUT_MS, headersTimeout: TIMEOUT_MS }, (request, response) => {
    request.resume();
    const status = { "/health/live": 200, "/health/ready": isReady() ? 200 : 503 }[request.url ?? ""] ?? 404;
    response.writeHead(status, { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" });
    response.end(status === 200 ? "ok\n" : status === 503 ? "not ready\n" : "not found\n");
  });
  return listen(server, { host, port });
}

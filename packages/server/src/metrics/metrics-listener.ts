import { createServer, type Server } from "node:http";
import { type Listener, listen } from "../lib/listen.ts";
import type { Metrics } from "./metrics.ts";
import { isBearer } from "./metrics-key.ts";

export type MetricsListener = Listener;

export interface MetricsListenerOptions {
  readonly host: string;
  readonly port: number;
  /** Undefined: no key is needed. */
  readonly key: string | undefined;
}

const TIMEOUT_MS = 10_000;

/** Serves GET /metrics, and nothing else, on a separate port. */
export async function listenForMetrics(
  metrics: Metrics,
  { host, port, key }: MetricsListenerOptions,
): Promise<MetricsListener> {
  const server: Server = createServer(
    { requestTimeout: TIMEOUT_MS, headersTimeout: TIMEOUT_MS, keepAliveTimeout: TIMEOUT_MS },
    (request, response) => {
      const path = (request.url ?? "").split("?", 1)[0];
      const answer = (status: number, type: string, text: string): void => {
        response.writeHead(status, {
          "content-type": type,
          "cache-control": "no-store",
          "x-content-type-options": "nosniff",
          ...(status === 401 ? { "www-authenticate": "Bearer" } : {}),
        });
        response.end(request.method === "HEAD" ? undefined : text);
      };
      request.resume();
      if (path !== "/metrics" || (request.method !== "GET" && request.method !== "HEAD")) {
        answer(404, "text/plain; charset=utf-8", "Not found: only GET /metrics is here\n");
      } else if (key !== undefined && !isBearer(request.headers.authorization, key)) {
        answer(401, "text/plain; charset=utf-8", "The key of PARLANCE_METRICS_KEY is needed\n");
      } else {
        metrics.text().then(
          (text) => answer(200, metrics.contentType, text),
          () => answer(500, "text/plain; charset=utf-8", "The metrics could not be collected\n"),
        );
      }
    },
  );
  return listen(server, { host, port });
}

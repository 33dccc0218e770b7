import { createServer, type IncomingMessage, type Server } from "node:http";
import { gunzipSync } from "node:zlib";
import { decodeTraces, type ReceivedSpan } from "./otlp-decode.ts";
import { until } from "./until.ts";

/** An OTLP collector: accepts traces over HTTP as protobuf and decodes them. */
export interface Collector {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** The raw bodies, to search for values that must not be exported. */
  readonly bodies: readonly Buffer[];
  readonly headers: readonly IncomingMessage["headers"][];
  /** Resolves with the spans of a trace once all these names are among them, each as often as given. */
  waitForSpans(traceId: string, names: readonly string[]): Promise<readonly ReceivedSpan[]>;
  /** Changes how further requests are answered. */
  setMode(mode: CollectorMode): void;
  close(): Promise<void>;
}

/** `hang`: accepts connections and never answers · `refuse`: answers 503 · `break`: closes connections */
export type CollectorMode = "accept" | "hang" | "refuse" | "break";

export async function startCollector(mode: CollectorMode = "accept"): Promise<Collector> {
  const spans: ReceivedSpan[] = [];
  const bodies: Buffer[] = [];
  const headers: IncomingMessage["headers"][] = [];
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const sent = Buffer.concat(chunks);
    const body = request.headers["content-encoding"] === "gzip" ? gunzipSync(sent) : sent;
    bodies.push(body);
    headers.push(request.headers);
    if (mode === "hang") return;
    if (mode === "break") {
      request.socket.destroy();
      return;
    }
    if (mode === "accept" && request.headers["content-type"] === "application/x-protobuf") {
      spans.push(...decodeTraces(body));
    }
    response.writeHead(mode === "refuse" ? 503 : 200).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const listening = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${listening}`,
    spans,
    bodies,
    headers,
    waitForSpans: (traceId, names) =>
      until(
        () => {
          const found = spans.filter((span) => span.traceId === traceId);
          const left = found.map((span) => span.name);
          const isComplete = names.every((name) => left.includes(name) && left.splice(left.indexOf(name), 1));
          return isComplete ? found : undefined;
        },
        { what: `the spans ${names.join(", ")} of ${traceId}`, everyMs: 20 },
      ),
    setMode(next) {
      mode = next;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

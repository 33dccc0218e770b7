import { createServer, type IncomingMessage, type Server } from "node:http";
import { gunzipSync } from "node:zlib";
import { decodeTraces, type ReceivedSpan } from "./otlp-decode.ts";

/** A collector as OpenTelemetry's protocol has it: takes what is exported over HTTP as protobuf, and reads it. */
export interface Collector {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  /** What came, as it came: for looking for what must not be in it. */
  readonly bodies: readonly Buffer[];
  readonly headers: readonly IncomingMessage["headers"][];
  /** Resolves with the spans of a trace once all of these names are among them, each as often as it is given. */
  seen(traceId: string, names: readonly string[]): Promise<readonly ReceivedSpan[]>;
  /** From now on. */
  behave(manner: Manner): void;
  close(): Promise<void>;
}

/** `hang`: it takes connections and never answers · `refuse`: it answers 503 · `break`: it breaks connections off */
export type Manner = "take" | "hang" | "refuse" | "break";

const WAIT_MS = 60_000;

export async function startCollector(manner: Manner = "take"): Promise<Collector> {
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
    if (manner === "hang") return;
    if (manner === "break") {
      request.socket.destroy();
      return;
    }
    if (manner === "take" && request.headers["content-type"] === "application/x-protobuf") {
      spans.push(...decodeTraces(body));
    }
    response.writeHead(manner === "refuse" ? 503 : 200).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const listening = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${listening}`,
    spans,
    bodies,
    headers,
    async seen(traceId, names) {
      const until = performance.now() + WAIT_MS;
      for (;;) {
        const found = spans.filter((span) => span.traceId === traceId);
        const left = found.map((span) => span.name);
        const missing = names.filter((name) => !left.includes(name) || left.splice(left.indexOf(name), 1).length === 0);
        if (missing.length === 0) return found;
        if (performance.now() > until) {
          throw new Error(`waited in vain for ${missing.join(", ")}; there are ${found.map((span) => span.name)}`);
        }
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    behave(next) {
      manner = next;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

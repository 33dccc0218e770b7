import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { ROOT_CONTEXT, SpanKind, TraceFlags, trace } from "@opentelemetry/api";
import { OTLPTraceExporter as JsonExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { OTLPTraceExporter as ProtobufExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
  type SpanExporter,
  TraceIdRatioBasedSampler,
} from "@opentelemetry/sdk-trace-base";
import { ConfigError, type OtlpSettings } from "../config/config.ts";
import type { Log } from "./log.ts";
import { toReadableSpan } from "./readable-span.ts";
import type { SpanSink } from "./tracer.ts";

/** Sends spans to a collector, in batches, beside the requests and never in their way. */
export interface TraceExport extends SpanSink {
  /** Sends what waits, for as long as the deadline allows. */
  close(): Promise<void>;
}

export interface TraceExportParts {
  readonly version: string;
  readonly log: Pick<Log, "warn" | "info">;
  /** How long the end waits for what was not sent yet. */
  readonly closeMs?: number;
}

const CLOSE_MS = 3_000;

/** Loads the parts of OpenTelemetry that export takes: import it only where something is exported. */
export function createTraceExport(settings: OtlpSettings, parts: TraceExportParts): TraceExport {
  const { batch } = settings;
  const resource = resourceFromAttributes({
    "service.version": parts.version,
    "service.instance.id": randomUUID(),
    ...settings.resource,
  });
  const sampler = samplerOf(settings);
  const closed = new AbortController();
  const agent = agentOf(settings);
  const Exporter = settings.protocol === "http/json" ? JsonExporter : ProtobufExporter;
  const exporter = new Exporter({
    url: settings.url,
    timeoutMillis: settings.timeoutMs,
    httpAgentOptions: () => agent,
    // Asked before each attempt: after the end none is made.
    headers: async () => {
      closed.signal.throwIfAborted();
      return { ...settings.headers };
    },
    // The type is an enumeration that its package does not hand out.
    compression: settings.compression as never,
  });
  const processor = new BatchSpanProcessor(unheard(exporter, settings.url, parts.log), {
    scheduledDelayMillis: batch.delayMs,
    exportTimeoutMillis: batch.timeoutMs,
    maxQueueSize: batch.queue,
    maxExportBatchSize: batch.size,
  });

  return {
    samples(traceId, parent) {
      const context =
        parent === undefined
          ? ROOT_CONTEXT
          : trace.setSpanContext(ROOT_CONTEXT, {
              traceId,
              spanId: parent.parentId,
              traceFlags: parent.sampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
              isRemote: true,
            });
      const { decision } = sampler.shouldSample(context, traceId, "edge", SpanKind.SERVER, {}, []);
      return decision === SamplingDecision.RECORD_AND_SAMPLED;
    },
    take: (span, about) => processor.onEnd(toReadableSpan(span, about, resource, parts.version)),
    async close() {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, parts.closeMs ?? CLOSE_MS);
      });
      await Promise.race([processor.shutdown().catch(() => {}), late]).finally(() => clearTimeout(timer));
      closed.abort(new Error("the service is shutting down"));
      agent.destroy();
    },
  };
}

/** Somebody has to read these lines: an address that does not answer is one line, not one for each batch. */
const SILENCE_MS = 10 * 60_000;

/** Says when spans are lost and when they are taken again, at most every ten minutes; nobody else has to know. */
function unheard(exporter: SpanExporter, url: string, log: TraceExportParts["log"]): SpanExporter {
  const { origin } = new URL(url);
  let failing = false;
  let toldAt = Number.NEGATIVE_INFINITY;
  let lost = 0;
  const tell = (failed: boolean, reason: string | undefined): void => {
    const changed = failed !== failing;
    failing = failed;
    const recently = performance.now() - toldAt < SILENCE_MS;
    if (failed && !recently) {
      toldAt = performance.now();
      log.warn({ collector: origin, reason, lost }, "traces cannot be exported; requests are not affected");
      lost = 0;
    } else if (!failed && changed) log.info({ collector: origin, lost }, "traces are exported again");
  };
  return {
    export(spans, done) {
      exporter.export(spans, ({ code, error }) => {
        const failed = code !== 0;
        if (failed) lost += spans.length;
        tell(failed, error?.message);
        done({ code: 0 });
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}

function agentOf({ url, tls }: OtlpSettings): HttpAgent | HttpsAgent {
  const options = { keepAlive: true };
  if (new URL(url).protocol === "http:") return new HttpAgent(options);
  try {
    const files = Object.entries(tls).map(([name, path]) => [name, readFileSync(path)]);
    return new HttpsAgent({ ...options, ...Object.fromEntries(files) });
  } catch (error) {
    throw new ConfigError(`the certificates for the export of traces cannot be read: ${String(error)}`);
  }
}

function samplerOf({ sampler, ratio }: OtlpSettings): Sampler {
  switch (sampler) {
    case "always_on":
      return new AlwaysOnSampler();
    case "always_off":
      return new AlwaysOffSampler();
    case "traceidratio":
      return new TraceIdRatioBasedSampler(ratio);
    case "parentbased_always_on":
      return new ParentBasedSampler({ root: new AlwaysOnSampler() });
    case "parentbased_always_off":
      return new ParentBasedSampler({ root: new AlwaysOffSampler() });
    case "parentbased_traceidratio":
      return new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) });
  }
}

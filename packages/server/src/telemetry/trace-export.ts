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
import { doneWithin } from "../lib/time-limit.ts";
import { type LogFor, logEvent } from "./log-events.ts";
import { toReadableSpan } from "./readable-span.ts";
import type { SpanSink } from "./tracer.ts";

/** Sends spans to a collector, in batches, in the background. */
export interface TraceExport extends SpanSink {
  /** Sends the queued spans, within a time limit. */
  close(): Promise<void>;
}

export interface TraceExportParts {
  readonly version: string;
  readonly log: LogFor<"trace-export.failed" | "trace-export.recovered">;
  /** The time limit of `close`. */
  readonly closeMs?: number;
}

const CLOSE_MS = 3_000;

/** Loads the exporters of OpenTelemetry: import this file only where traces are exported. */
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
    // Called before each attempt: none is made after `close`.
    headers: async () => {
      closed.signal.throwIfAborted();
      return { ...settings.headers };
    },
    // The type is an enumeration that its package does not export.
    compression: settings.compression as never,
  });
  const processor = new BatchSpanProcessor(withFailureLog(exporter, settings.url, parts.log), {
    scheduledDelayMillis: batch.delayMs,
    exportTimeoutMillis: batch.timeoutMs,
    maxQueueSize: batch.queue,
    maxExportBatchSize: batch.size,
  });

  return {
    shouldSample(traceId, parent) {
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
    add: (span, context) => processor.onEnd(toReadableSpan(span, context, resource, parts.version)),
    async close() {
      await doneWithin(
        processor.shutdown().catch(() => {}),
        parts.closeMs ?? CLOSE_MS,
      );
      closed.abort(new Error("the service is shutting down"));
      agent.destroy();
    },
  };
}

/** A collector that does not answer is logged once in this time, not once per batch. */
const LOG_INTERVAL_MS = 10 * 60_000;

/** Logs when spans are lost and when they are accepted again. Failures are not reported to the batch processor. */
function withFailureLog(exporter: SpanExporter, url: string, log: TraceExportParts["log"]): SpanExporter {
  const { origin } = new URL(url);
  let failing = false;
  let loggedAt = Number.NEGATIVE_INFINITY;
  let lost = 0;
  const report = (failed: boolean, reason: string | undefined): void => {
    const changed = failed !== failing;
    failing = failed;
    const recently = performance.now() - loggedAt < LOG_INTERVAL_MS;
    if (failed && !recently) {
      loggedAt = performance.now();
      logEvent(log, "trace-export.failed", { collector: origin, reason, lost });
      lost = 0;
    } else if (!failed && changed) logEvent(log, "trace-export.recovered", { collector: origin, lost });
  };
  return {
    export(spans, done) {
      exporter.export(spans, ({ code, error }) => {
        const failed = code !== 0;
        if (failed) lost += spans.length;
        report(failed, error?.message);
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

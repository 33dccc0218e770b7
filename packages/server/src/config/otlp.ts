import { type Environment, readSetting, type Setting } from "./setting.ts";
import { type COMPRESSIONS, type PROTOCOLS, type SAMPLERS, traceExport } from "./settings/trace-export.ts";

/** Where and how spans are exported. */
export interface OtlpSettings {
  readonly url: string;
  readonly protocol: (typeof PROTOCOLS)[number];
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly compression: (typeof COMPRESSIONS)[number];
  /** Certificate files, for https. */
  readonly tls: { readonly ca?: string; readonly cert?: string; readonly key?: string };
  /** Attributes of the process that the spans come from. */
  readonly resource: Readonly<Record<string, string>>;
  readonly sampler: (typeof SAMPLERS)[number];
  /** For the `traceidratio` samplers. */
  readonly ratio: number;
  readonly batch: {
    readonly delayMs: number;
    readonly timeoutMs: number;
    readonly queue: number;
    readonly size: number;
  };
}

/**
 * Undefined: nothing is exported. Without an endpoint the other variables are not even checked, because they are often
 * set for all programs of a machine.
 */
export function readOtlp(environment: Environment): OtlpSettings | undefined {
  const env = Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (name.startsWith("OTEL_") ? [[name, value?.trim()]] : [])),
  );
  const read = <Value>(entry: Setting<Value>): Value => readSetting(entry, env);
  const settings = traceExport;

  if (read(settings.disabled) || read(settings.exporter) === "none") return undefined;
  const url = read(settings.tracesEndpoint) ?? withTracesPath(read(settings.endpoint));
  if (url === undefined) return undefined;
  const serviceName = read(settings.serviceName);
  const queue = read(settings.batchQueue);
  const [ca, cert, key] = [read(settings.ca), read(settings.cert), read(settings.key)];
  return {
    url: url.href,
    protocol: read(settings.protocol),
    headers: { ...read(settings.headers), ...read(settings.tracesHeaders) },
    timeoutMs: read(settings.timeoutMs),
    compression: read(settings.compression),
    tls: { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) },
    resource: {
      "service.name": "parlance",
      ...read(settings.resource),
      ...(serviceName === undefined ? {} : { "service.name": serviceName }),
    },
    sampler: read(settings.sampler),
    ratio: read(settings.ratio),
    batch: {
      delayMs: read(settings.batchDelayMs),
      timeoutMs: read(settings.batchTimeoutMs),
      queue,
      size: Math.min(queue, read(settings.batchSize)),
    },
  };
}

/** The general endpoint is a base address. */
function withTracesPath(base: URL | undefined): URL | undefined {
  if (base === undefined) return undefined;
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/v1/traces`;
  return url;
}

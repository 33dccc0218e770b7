import { optionalSetting, type Setting, setting, type ValueType } from "../setting.ts";
import { anyText, filePath, integer, oneOf, ratio } from "../value-types.ts";

const MAX = 1_000_000_000;
export const PROTOCOLS = ["http/protobuf", "http/json"] as const;
export const COMPRESSIONS = ["none", "gzip"] as const;
export const SAMPLERS = [
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
  "always_on",
  "always_off",
  "traceidratio",
] as const;

const collectorUrl: ValueType<URL> = {
  allowed: "an address such as http://collector:4318",
  parse(text) {
    const url = new URL(text);
    if (!/^https?:$/.test(url.protocol)) throw new TypeError(text);
    return url;
  },
};

/** `name=value,name=value` with percent-encoded values. */
const pairs: ValueType<Readonly<Record<string, string>>> = {
  allowed: "a list like name=value,name=value",
  parse(text) {
    const members = text.split(",").filter((member) => member.trim() !== "");
    return Object.fromEntries(
      members.map((member) => {
        const [, name = "", value = ""] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(member) ?? [];
        if (name === "") throw new TypeError(text);
        return [name, decodeURIComponent(value)];
      }),
    );
  },
};

/** For this group OpenTelemetry defines a general variable, and one for traces that takes precedence. */
const exporter = (suffix: string) => ({
  name: `OTEL_EXPORTER_OTLP_${suffix}`,
  overriddenBy: `OTEL_EXPORTER_OTLP_TRACES_${suffix}`,
});

const certificate = (suffix: string, meaning: string): Setting<string | undefined> =>
  optionalSetting({ ...exporter(suffix), type: filePath, unset: "none", meaning });

/** The variables of OpenTelemetry that have an effect. They are read only where an endpoint is set. */
export const traceExport = {
  endpoint: optionalSetting({
    name: "OTEL_EXPORTER_OTLP_ENDPOINT",
    type: collectorUrl,
    unset: "traces are not exported",
    meaning:
      "Address of an OpenTelemetry collector. `/v1/traces` is appended. Port 4318 is usual; gRPC is not supported.",
  }),
  tracesEndpoint: optionalSetting({
    name: "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    type: collectorUrl,
    unset: "`OTEL_EXPORTER_OTLP_ENDPOINT`",
    meaning: "Complete address for traces. It is used as it is and takes precedence.",
  }),
  disabled: setting({
    name: "OTEL_SDK_DISABLED",
    type: { allowed: "true or false", parse: (text: string) => text.toLowerCase() === "true" },
    default: "false",
    meaning: "`true` turns the export off.",
  }),
  exporter: setting({
    name: "OTEL_TRACES_EXPORTER",
    type: oneOf(["otlp", "none"]),
    default: "otlp",
    meaning: "`none` turns the export off.",
  }),
  protocol: setting({
    ...exporter("PROTOCOL"),
    type: oneOf(PROTOCOLS),
    default: "http/protobuf",
    meaning: "Encoding of the exported spans.",
  }),
  headers: setting({
    name: "OTEL_EXPORTER_OTLP_HEADERS",
    type: pairs,
    default: "",
    secret: true,
    meaning: "Headers for the collector, for example its API key. Values are percent-encoded.",
  }),
  tracesHeaders: setting({
    name: "OTEL_EXPORTER_OTLP_TRACES_HEADERS",
    type: pairs,
    default: "",
    secret: true,
    meaning: "Headers that are added to those above and replace headers of the same name.",
  }),
  timeoutMs: setting({
    ...exporter("TIMEOUT"),
    type: integer(1, MAX),
    default: "10000",
    meaning: "Milliseconds until a request to the collector is given up.",
  }),
  compression: setting({
    ...exporter("COMPRESSION"),
    type: oneOf(COMPRESSIONS),
    default: "none",
    meaning: "Compression of requests to the collector.",
  }),
  ca: certificate("CERTIFICATE", "File with the certificate authorities that are trusted for https."),
  cert: certificate("CLIENT_CERTIFICATE", "File with the client certificate."),
  key: certificate("CLIENT_KEY", "File with the private key of the client certificate."),
  serviceName: optionalSetting({
    name: "OTEL_SERVICE_NAME",
    type: anyText,
    unset: "`parlance`",
    meaning: "The `service.name` of exported spans.",
  }),
  resource: setting({
    name: "OTEL_RESOURCE_ATTRIBUTES",
    type: pairs,
    default: "",
    meaning: "Further attributes of the process that exports.",
  }),
  sampler: setting({
    name: "OTEL_TRACES_SAMPLER",
    type: oneOf(SAMPLERS),
    default: "parentbased_always_on",
    meaning:
      "Which requests are exported. By default the sampled flag of the client decides, and requests without a trace are exported.",
  }),
  ratio: setting({
    name: "OTEL_TRACES_SAMPLER_ARG",
    type: ratio,
    default: "1",
    meaning: "Share of the requests that a `traceidratio` sampler exports.",
  }),
  batchDelayMs: setting({
    name: "OTEL_BSP_SCHEDULE_DELAY",
    type: integer(0, MAX),
    default: "5000",
    meaning: "Milliseconds between two exports.",
  }),
  batchTimeoutMs: setting({
    name: "OTEL_BSP_EXPORT_TIMEOUT",
    type: integer(1, MAX),
    default: "30000",
    meaning: "Milliseconds until an export is given up, retries included.",
  }),
  batchQueue: setting({
    name: "OTEL_BSP_MAX_QUEUE_SIZE",
    type: integer(1, MAX),
    default: "2048",
    meaning: "Maximum number of spans that wait for export. Further spans are dropped.",
  }),
  batchSize: setting({
    name: "OTEL_BSP_MAX_EXPORT_BATCH_SIZE",
    type: integer(1, MAX),
    default: "512",
    meaning: "Maximum number of spans in one request to the collector.",
  }),
};

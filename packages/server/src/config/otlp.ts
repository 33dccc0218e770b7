import { ConfigError } from "./config-error.ts";

/** Where spans are sent, by the names that OpenTelemetry has given these settings. */
export interface OtlpSettings {
  readonly url: string;
  readonly protocol: (typeof PROTOCOLS)[number];
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly compression: (typeof COMPRESSIONS)[number];
  /** Files with certificates, for https. */
  readonly tls: { readonly ca?: string; readonly cert?: string; readonly key?: string };
  /** What spans say of the process that they come from. */
  readonly resource: Readonly<Record<string, string>>;
  readonly sampler: (typeof SAMPLERS)[number];
  /** For samplers that take a share. */
  readonly ratio: number;
  readonly batch: {
    readonly delayMs: number;
    readonly timeoutMs: number;
    readonly queue: number;
    readonly size: number;
  };
}

const PROTOCOLS = ["http/protobuf", "http/json"] as const;
const COMPRESSIONS = ["none", "gzip"] as const;
const SAMPLERS = [
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
  "always_on",
  "always_off",
  "traceidratio",
] as const;

type Environment = Readonly<Record<string, string | undefined>>;
/** A setting and the name that it was given by. */
type Given = readonly [name: string, value: string];

/**
 * Undefined: nothing is exported. That needs an address: without one these settings, which often hold for everything on a
 * machine, have no effect here, and are not looked at.
 */
export function readOtlp(env: Environment): OtlpSettings | undefined {
  const find = (...names: readonly string[]): Given | undefined => {
    for (const name of names) {
      const value = env[name]?.trim();
      if (value !== undefined && value !== "") return [name, value];
    }
    return undefined;
  };
  /** What is said of traces counts more than what is said of everything. */
  const ofTraces = (name: string): Given | undefined =>
    find(`OTEL_EXPORTER_OTLP_TRACES_${name}`, `OTEL_EXPORTER_OTLP_${name}`);
  const integer = (name: string, usual: number, min: number): number => integerOf(find(name), usual, min);
  const file = (name: string) => ofTraces(name)?.[1];

  if (find("OTEL_SDK_DISABLED")?.[1].toLowerCase() === "true") return undefined;
  if (oneOf(find("OTEL_TRACES_EXPORTER"), ["otlp", "none"] as const) === "none") return undefined;
  const url = urlOf(find("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"), find("OTEL_EXPORTER_OTLP_ENDPOINT"));
  if (url === undefined) return undefined;
  const serviceName = find("OTEL_SERVICE_NAME")?.[1];
  const queue = integer("OTEL_BSP_MAX_QUEUE_SIZE", 2048, 1);
  const [ca, cert, key] = [file("CERTIFICATE"), file("CLIENT_CERTIFICATE"), file("CLIENT_KEY")];
  return {
    url,
    protocol: oneOf(ofTraces("PROTOCOL"), PROTOCOLS) ?? "http/protobuf",
    headers: {
      ...pairsOf(find("OTEL_EXPORTER_OTLP_HEADERS")),
      ...pairsOf(find("OTEL_EXPORTER_OTLP_TRACES_HEADERS")),
    },
    timeoutMs: integerOf(ofTraces("TIMEOUT"), 10_000, 1),
    compression: oneOf(ofTraces("COMPRESSION"), COMPRESSIONS) ?? "none",
    tls: { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) },
    resource: {
      "service.name": "parlance",
      ...pairsOf(find("OTEL_RESOURCE_ATTRIBUTES")),
      ...(serviceName === undefined ? {} : { "service.name": serviceName }),
    },
    sampler: oneOf(find("OTEL_TRACES_SAMPLER"), SAMPLERS) ?? "parentbased_always_on",
    ratio: ratioOf(find("OTEL_TRACES_SAMPLER_ARG")),
    batch: {
      delayMs: integer("OTEL_BSP_SCHEDULE_DELAY", 5_000, 0),
      timeoutMs: integer("OTEL_BSP_EXPORT_TIMEOUT", 30_000, 1),
      queue,
      size: Math.min(queue, integer("OTEL_BSP_MAX_EXPORT_BATCH_SIZE", 512, 1)),
    },
  };
}

/** The address for traces is taken as it is; to that of everything the path is added. */
function urlOf(traces: Given | undefined, everything: Given | undefined): string | undefined {
  const given = traces ?? everything;
  if (given === undefined) return undefined;
  const url = URL.canParse(given[1]) ? new URL(given[1]) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw refusal(given, "an address such as http://collector:4318");
  }
  if (traces === undefined) url.pathname = `${url.pathname.replace(/\/+$/, "")}/v1/traces`;
  return url.href;
}

function oneOf<const Values extends readonly string[]>(
  given: Given | undefined,
  allowed: Values,
): Values[number] | undefined {
  const found = allowed.find((value) => value === given?.[1]);
  if (given !== undefined && found === undefined) throw refusal(given, `one of ${allowed.join(", ")}`);
  return found;
}

const MOST = 1_000_000_000;

function integerOf(given: Given | undefined, usual: number, min: number): number {
  if (given === undefined) return usual;
  const value = /^\d{1,10}$/.test(given[1]) ? Number(given[1]) : Number.NaN;
  if (!(value >= min && value <= MOST)) throw refusal(given, `an integer from ${min} to ${MOST}`);
  return value;
}

function ratioOf(given: Given | undefined): number {
  const value = given === undefined ? 1 : Number(given[1]);
  if (given !== undefined && !(value >= 0 && value <= 1)) throw refusal(given, "a number from 0 to 1");
  return value;
}

/** `name=value,name=value`, values percent-encoded. */
function pairsOf(given: Given | undefined): Readonly<Record<string, string>> {
  if (given === undefined) return {};
  const members = given[1].split(",").filter((member) => member.trim() !== "");
  return Object.fromEntries(
    members.map((member) => {
      const [, name = "", value = ""] = /^\s*([^=\s]+)\s*=\s*(.*?)\s*$/.exec(member) ?? [];
      try {
        if (name !== "") return [name, decodeURIComponent(value)];
      } catch {
        // Told below, as is a member without a name.
      }
      // Headers hold keys.
      throw new ConfigError(
        `${given[0]}: the given value (not shown) is not allowed, it must be a list like name=value,name=value`,
      );
    }),
  );
}

function refusal([name, value]: Given, allowed: string): ConfigError {
  return new ConfigError(`${name}: ${JSON.stringify(value)} is not allowed, it must be ${allowed}`);
}

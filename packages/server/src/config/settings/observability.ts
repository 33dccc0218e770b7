import { optionalSetting, setting } from "../setting.ts";
import { apiKey, hostName, integer, oneOf } from "../value-types.ts";

const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export const observability = {
  log: setting({
    name: "PARLANCE_LOG",
    type: oneOf(LOG_LEVELS),
    default: "info",
    meaning:
      "Minimum level of the log. The log is JSON lines on standard output, without keys, texts and audio. `debug` also makes the commands print full errors.",
  }),
  healthCheckSeconds: setting({
    name: "PARLANCE_HEALTH_CHECK_SECONDS",
    type: integer(0, 86_400),
    default: "60",
    meaning:
      "Seconds between two health checks of an idle engine. A check synthesizes or transcribes one word. `0`: at the start only. See [operating.md](operating.md).",
  }),
  traces: setting({
    name: "PARLANCE_TRACES",
    type: integer(0, 100_000),
    default: "500",
    meaning:
      "Number of recent requests whose traces are kept in memory. About 20 kB each; `0` keeps none. See [tracing.md](tracing.md).",
  }),
  metricsPort: optionalSetting({
    name: "PARLANCE_METRICS_PORT",
    type: integer(0, 65_535),
    unset: "`/metrics` on the main port",
    meaning:
      "Separate port for the Prometheus metrics. Use it to keep them off the public address. See [operating.md](operating.md).",
  }),
  metricsHost: setting({
    name: "PARLANCE_METRICS_HOST",
    type: hostName,
    default: "127.0.0.1",
    meaning: "Address on which the separate metrics port listens.",
  }),
  metricsKey: optionalSetting({
    name: "PARLANCE_METRICS_KEY",
    type: apiKey,
    unset: "an admin's API key is needed; a separate port needs none",
    secret: true,
    meaning: "Key that gives access to the metrics and to nothing else, sent as `Authorization: Bearer`.",
  }),
};

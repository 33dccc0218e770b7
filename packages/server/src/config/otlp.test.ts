import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ConfigError, readConfig } from "./config.ts";
import { readOtlp } from "./otlp.ts";

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318" };

describe("the export of traces", () => {
  it("is off without an endpoint, or when it is disabled", () => {
    assert.equal(readConfig({}).config.otlp, undefined);
    for (const env of [
      {},
      { OTEL_SERVICE_NAME: "voice", OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" },
      { ...ENDPOINT, OTEL_SDK_DISABLED: "TRUE", OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" },
      { ...ENDPOINT, OTEL_TRACES_EXPORTER: "none", OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" },
      { OTEL_EXPORTER_OTLP_ENDPOINT: " " },
    ]) {
      assert.equal(readOtlp(env), undefined);
    }
    assert.notEqual(readOtlp({ ...ENDPOINT, OTEL_SDK_DISABLED: "false", OTEL_TRACES_EXPORTER: "otlp" }), undefined);
  });

  it("has the defaults of OpenTelemetry", () => {
    assert.deepEqual(readOtlp(ENDPOINT), {
      url: "http://collector:4318/v1/traces",
      protocol: "http/protobuf",
      headers: {},
      timeoutMs: 10_000,
      compression: "none",
      tls: {},
      resource: { "service.name": "parlance" },
      sampler: "parentbased_always_on",
      ratio: 1,
      batch: { delayMs: 5_000, timeoutMs: 30_000, queue: 2_048, size: 512 },
    });
  });

  it("appends the path to the general endpoint, and uses the traces endpoint unchanged", () => {
    for (const [general, traces, url] of [
      ["http://collector:4318/", "", "http://collector:4318/v1/traces"],
      ["https://collector/otlp", "", "https://collector/otlp/v1/traces"],
      ["http://collector:4318", "http://other/exactly/here", "http://other/exactly/here"],
      ["", "http://other", "http://other/"],
    ]) {
      const env = { OTEL_EXPORTER_OTLP_ENDPOINT: general, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces };
      assert.equal(readOtlp(env)?.url, url);
    }
  });

  it("prefers the variables for traces to the general ones", () => {
    const settings = readOtlp({
      ...ENDPOINT,
      OTEL_EXPORTER_OTLP_TIMEOUT: "100",
      OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: "200",
      OTEL_EXPORTER_OTLP_PROTOCOL: "grpc",
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "http/json",
      OTEL_EXPORTER_OTLP_HEADERS: "a=1,b=2",
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: "b=3",
      OTEL_EXPORTER_OTLP_CERTIFICATE: "ca.pem",
      OTEL_BSP_MAX_QUEUE_SIZE: "10",
    });
    assert.equal(settings?.timeoutMs, 200);
    assert.equal(settings?.protocol, "http/json");
    assert.deepEqual(settings?.headers, { a: "1", b: "3" });
    assert.deepEqual(settings?.tls, { ca: "ca.pem" });
    assert.deepEqual(settings?.batch, { delayMs: 5_000, timeoutMs: 30_000, queue: 10, size: 10 });
  });

  it("refuses an unsupported value with one line that lists what is allowed", () => {
    for (const [name, value, allowed] of [
      ["OTEL_EXPORTER_OTLP_PROTOCOL", "grpc", "one of http/protobuf, http/json"],
      ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4317", "an address such as http://collector:4318"],
      ["OTEL_TRACES_EXPORTER", "zipkin", "one of otlp, none"],
      ["OTEL_TRACES_SAMPLER", "jaeger_remote", "one of parentbased_always_on, "],
      ["OTEL_TRACES_SAMPLER_ARG", "1.5", "a number from 0 to 1"],
      ["OTEL_EXPORTER_OTLP_TIMEOUT", "10s", "an integer from 1 to "],
      ["OTEL_BSP_MAX_QUEUE_SIZE", "0", "an integer from 1 to "],
      ["OTEL_EXPORTER_OTLP_COMPRESSION", "zstd", "one of none, gzip"],
    ] as const) {
      assert.throws(
        () => readConfig({ ...ENDPOINT, [name]: value }),
        (error: unknown) =>
          error instanceof ConfigError &&
          error.message.startsWith(`${name}: ${JSON.stringify(value)} is not allowed, it must be ${allowed}`) &&
          !error.message.includes("\n"),
        name,
      );
    }
  });

  it("does not show headers, which contain keys", () => {
    for (const value of ["api-key", "api-key=%E0%A4%A", "=secret"]) {
      assert.throws(
        () => readOtlp({ ...ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS: value }),
        (error: Error) => error instanceof ConfigError && !error.message.includes(value),
      );
    }
  });
});

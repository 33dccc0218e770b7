import assert from "node:assert/strict";
import { test } from "node:test";
import { cleanEnvironment } from "./clean-environment.ts";

test("settings of Parlance and OpenTelemetry are removed, those of the tests stay", () => {
  const cleaned = cleanEnvironment({
    PATH: "/bin",
    PARLANCE_URL: "http://example.org",
    PARLANCE_TEST_POSTGRES: "postgres://127.0.0.1/",
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://example.org",
  });
  assert.deepEqual(cleaned, { PATH: "/bin", PARLANCE_TEST_POSTGRES: "postgres://127.0.0.1/" });
});

import assert from "node:assert/strict";
import { isAbsolute } from "node:path";
import { describe, it } from "node:test";
import { DEFAULT_PLANS } from "@parlance/protocol";
import { ConfigError, inspectConfig, readConfig } from "./config.ts";
import { effectiveSettings } from "./effective-settings.ts";
import { plansOf } from "./plans.ts";
import { summaryOf, toPlainText } from "./setting.ts";
import { SETTING_GROUPS } from "./settings.ts";

describe("settings", () => {
  it("are all optional", () => {
    const { config, warnings } = readConfig({ PATH: "/bin", PARLANCE_HOST: "" });
    assert.equal(config.host, "127.0.0.1");
    assert.equal(config.port, 8080);
    assert.equal(plansOf(config).free.concurrency, 5);
    assert.equal(config.maxTextCharacters, 30_000);
    assert.equal(config.optionalEngine, "auto");
    assert.equal(config.quality, "fast");
    assert.ok(isAbsolute(config.data) && isAbsolute(config.models));
    assert.deepEqual(warnings, []);
  });

  it("are read from the environment", () => {
    const { config } = readConfig({
      PARLANCE_HOST: "0.0.0.0",
      PARLANCE_PORT: "0",
      PARLANCE_DATA: "/srv/parlance",
      PARLANCE_DATABASE_URL: "postgres://ada:secret@db.example/parlance",
      PARLANCE_MODELS: "/srv/models",
      PARLANCE_ADMIN_KEY: "a-key-of-the-operator",
      PARLANCE_ADMIN_PASSWORD: "a password",
      PARLANCE_ADMIN_EMAIL: "Ada@Example.org",
      PARLANCE_PUBLIC_URL: "https://Voice.example.org/",
      PARLANCE_TRUST_PROXY: "loopback, 10.0.0.0/8,::1",
      PARLANCE_LOG: "warn",
      PARLANCE_WORKERS: "3",
      PARLANCE_QUEUE: "9",
      PARLANCE_MAX_TEXT: "500",
      PARLANCE_CONCURRENCY: "7",
      PARLANCE_REQUESTS_PER_MINUTE: "0",
      PARLANCE_WAIT_MS: "250",
      PARLANCE_PLANS: '{"free":{"credits":5},"pro":{"concurrency":9,"requestsPerMinute":0}}',
      PARLANCE_PRICES: '{"textByte":0.5}',
      PARLANCE_KOKORO: "off",
      PARLANCE_KOKORO_QUALITY: "full",
      PARLANCE_CLONING: "off",
      PARLANCE_REFINEMENT_SHARE: "0.25",
      PARLANCE_WHISPER: "small",
      PARLANCE_ASR_WORKERS: "2",
      PARLANCE_DRAIN_SECONDS: "2",
      PARLANCE_LIVE_IDLE_SECONDS: "30",
      PARLANCE_METRICS_PORT: "9464",
      PARLANCE_METRICS_HOST: "0.0.0.0",
      PARLANCE_METRICS_KEY: "a-key-for-prometheus",
      PARLANCE_HEALTH_CHECK_SECONDS: "0",
      PARLANCE_CORS_ORIGINS: "https://App.example.org, http://localhost:5173/",
      PARLANCE_TRACES: "20",
      PARLANCE_KEEP_AHEAD: "off",
      PARLANCE_MAX_CONNECTIONS: "99",
    });
    assert.deepEqual(config, {
      ...readConfig({}).config,
      host: "0.0.0.0",
      port: 0,
      data: "/srv/parlance",
      databaseUrl: "postgres://ada:secret@db.example/parlance",
      models: "/srv/models",
      adminKey: "a-key-of-the-operator",
      adminPassword: "a password",
      adminEmail: "ada@example.org",
      publicUrl: "https://voice.example.org",
      trustProxy: ["loopback", "10.0.0.0/8", "::1"],
      log: "warn",
      workers: 3,
      queue: 9,
      maxTextCharacters: 500,
      concurrency: 7,
      requestsPerMinute: 0,
      waitMs: 250,
      plans: {
        ...DEFAULT_PLANS,
        free: { ...DEFAULT_PLANS.free, credits: 5 },
        pro: { ...DEFAULT_PLANS.pro, concurrency: 9, requestsPerMinute: 0 },
      },
      prices: { textByte: 0.5, transcribedSecond: 7 },
      optionalEngine: "off",
      quality: "full",
      cloning: "off",
      refinementShare: 0.25,
      recognizerSize: "small",
      asrWorkers: 2,
      drainSeconds: 2,
      liveIdleSeconds: 30,
      metricsPort: 9464,
      metricsHost: "0.0.0.0",
      metricsKey: "a-key-for-prometheus",
      healthCheckSeconds: 0,
      corsOrigins: ["https://app.example.org", "http://localhost:5173"],
      traces: 20,
      otlp: undefined,
      keepAhead: "off",
      maxConnections: 99,
    });
  });

  it("apply a limit without a plan to every plan", () => {
    const { config } = readConfig({ PARLANCE_CONCURRENCY: "7", PARLANCE_PLANS: '{"plus":{"concurrency":3}}' });
    const plans = plansOf(config);
    assert.deepEqual([plans.free.concurrency, plans.plus.concurrency, plans.unlimited.concurrency], [7, 7, 7]);
    assert.equal(plans.plus.requestsPerMinute, DEFAULT_PLANS.plus.requestsPerMinute);
  });

  const bad: readonly (readonly [string, string, RegExp])[] = [
    [
      "PARLANCE_DATABASE_URL",
      "mysql://u:p@h/d",
      /^PARLANCE_DATABASE_URL: the given value \(not shown\) is not allowed/,
    ],
    ["PARLANCE_METRICS_KEY", "too short", /^PARLANCE_METRICS_KEY: the given value \(not shown\) is not allowed/],
    ["PARLANCE_CORS_ORIGINS", "*,https://a.example", /or \* for all$/],
    ["PARLANCE_CORS_ORIGINS", "https://a.example/path", /or \* for all$/],
    ["PARLANCE_CORS_ORIGINS", "null", /or \* for all$/],
    ["PARLANCE_PORT", "80a", /^PARLANCE_PORT: "80a" is not allowed, it must be an integer from 0 to 65535$/],
    ["PARLANCE_PORT", "65536", /65535$/],
    ["PARLANCE_PORT", "-1", /65535$/],
    ["PARLANCE_PORT", "1e3", /65535$/],
    ["PARLANCE_WORKERS", "0", /an integer from 1 to 256$/],
    ["PARLANCE_CONCURRENCY", "0", /from 1 to/],
    ["PARLANCE_PLANS", "free", /^PARLANCE_PLANS: "free" is not allowed, it must be JSON such as \{"free":/],
    ["PARLANCE_PLANS", '{"gold":{"credits":1}}', /with any of the plans free, plus, pro, unlimited$/],
    ["PARLANCE_PLANS", '{"free":{"credit":1}}', /JSON such as/],
    ["PARLANCE_PLANS", '{"free":{"credits":-1}}', /JSON such as/],
    ["PARLANCE_PLANS", "[]", /JSON such as/],
    ["PARLANCE_PRICES", '{"textByte":"1"}', /it must be JSON such as \{"textByte":1/],
    ["PARLANCE_PRICES", "{", /JSON such as/],
    ["PARLANCE_ADMIN_EMAIL", "ada", /it must be an e-mail address$/],
    ["PARLANCE_PUBLIC_URL", "voice.example.org", /an address without a path, such as https:/],
    ["PARLANCE_PUBLIC_URL", "https://voice.example.org/path", /an address without a path/],
    ["PARLANCE_PUBLIC_URL", "ftp://voice.example.org", /an address without a path/],
    ["PARLANCE_TRUST_PROXY", "everybody", /addresses or networks of reverse proxies/],
    ["PARLANCE_TRUST_PROXY", "10.0.0.0/33", /addresses or networks/],
    ["PARLANCE_LOG", "loud", /one of trace, debug, info, warn, error, fatal, silent$/],
    ["PARLANCE_KOKORO_QUALITY", "best", /it must be one of fast, full$/],
    ["PARLANCE_CANARY_SECONDS", "30", /^PARLANCE_CANARY_SECONDS was renamed to PARLANCE_HEALTH_CHECK_SECONDS$/],
    ["PARLANCE_KOKORO", "on", /^PARLANCE_KOKORO: "on" is not allowed, it must be one of auto, off$/],
  ];
  for (const [name, value, message] of bad) {
    it(`stop the start when ${name} is ${value}`, () => {
      assert.throws(
        () => readConfig({ [name]: value }),
        (error) => error instanceof ConfigError && message.test(error.message) && !error.message.includes("\n"),
      );
    });
  }

  it("do not show a secret in an error message", () => {
    for (const name of ["PARLANCE_ADMIN_KEY", "PARLANCE_ADMIN_PASSWORD"]) {
      assert.throws(
        () => readConfig({ [name]: "hunter2" }),
        (error) => error instanceof ConfigError && !error.message.includes("hunter2") && error.message.startsWith(name),
      );
    }
  });

  it("warn of unknown names, with a suggestion", () => {
    assert.deepEqual(readConfig({ PARLANCE_PROT: "1", PARLANCE_SOMETHING_ELSE: "x" }).warnings, [
      "PARLANCE_PROT is not a setting and is ignored; did you mean PARLANCE_PORT?",
      "PARLANCE_SOMETHING_ELSE is not a setting and is ignored",
    ]);
  });

  it("are reported together, without secrets", () => {
    const report = inspectConfig({
      PARLANCE_PORT: "80a",
      PARLANCE_HOST: "0.0.0.0",
      PARLANCE_ADMIN_KEY: "hunter2",
      PARLANCE_API_KEY: "a-key",
      PARLANCE_PROT: "1",
      PARLANCE_CANARY_SECONDS: "5",
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://me:hunter2@collector:4318",
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "grpc",
    });
    assert.deepEqual(report.given, [
      "PARLANCE_HOST=0.0.0.0",
      "PARLANCE_PORT=80a",
      "PARLANCE_ADMIN_KEY=(secret)",
      "OTEL_EXPORTER_OTLP_ENDPOINT=http://(secret)@collector:4318",
      "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL=grpc",
      "PARLANCE_API_KEY=(secret)",
    ]);
    assert.deepEqual(
      report.problems.map((problem) => problem.split(" ")[0]),
      ["PARLANCE_CANARY_SECONDS", "PARLANCE_PORT:", "PARLANCE_ADMIN_KEY:", "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL:"],
    );
    assert.deepEqual(report.warnings, ["PARLANCE_PROT is not a setting and is ignored; did you mean PARLANCE_PORT?"]);
    assert.ok(!JSON.stringify(report).includes("hunter2"));
  });

  it("are shown without markup, with the pages that they refer to", () => {
    const meaning = "Entries of the [audit log](accounts.md#audit-log), see [limits.md](limits.md) and `GET /model`.";
    const text = "Entries of the audit log (docs/accounts.md), see docs/limits.md and GET /model.";
    assert.equal(toPlainText(meaning), text);
  });

  it("have a unique name, a meaning and a valid default each", () => {
    const all = SETTING_GROUPS.flatMap(({ settings }) => settings);
    assert.equal(new Set(all.map(({ name }) => name)).size, all.length);
    for (const entry of all) {
      assert.match(entry.meaning, /^[A-Z`].*\.$/, entry.name);
      assert.match(summaryOf(entry), /^\S.{10,120}\.$/, entry.name);
      assert.doesNotThrow(() => entry.defaultValue(), entry.name);
    }
  });

  it("are shown to admins with default and meaning, and secrets are hidden", () => {
    const { config } = readConfig({ PARLANCE_PORT: "9000", PARLANCE_ADMIN_KEY: "a-key-of-the-operator" });
    const shown = effectiveSettings(config);
    const port = shown.find(({ name }) => name === "PARLANCE_PORT");
    assert.deepEqual([port?.value, port?.default, port?.is_default], ["9000", "8080", false]);
    assert.match(port?.meaning ?? "", /^TCP port to listen on\./);
    const key = shown.find(({ name }) => name === "PARLANCE_ADMIN_KEY");
    assert.deepEqual([key?.value, key?.secret], ["set", true]);
    const changed = shown.filter(({ is_default }) => !is_default).map(({ name }) => name);
    assert.deepEqual(changed, ["PARLANCE_PORT", "PARLANCE_ADMIN_KEY"]);
    assert.ok(!JSON.stringify(shown).includes("a-key-of-the-operator"));
    const exporting = readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://me:secret@collector:4318" }).config;
    const endpoint = effectiveSettings(exporting).find(({ name }) => name === "OTEL_EXPORTER_OTLP_ENDPOINT");
    assert.equal(endpoint?.value, "http://collector:4318/v1/traces");
  });
});

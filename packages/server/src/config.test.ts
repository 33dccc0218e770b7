import assert from "node:assert/strict";
import { isAbsolute } from "node:path";
import { describe, it } from "node:test";
import { ConfigError, readConfig } from "./config.ts";

describe("the settings", () => {
  it("need nothing to be set", () => {
    const { config, warnings } = readConfig({ PATH: "/bin", PARLANCE_HOST: "" });
    assert.equal(config.host, "127.0.0.1");
    assert.equal(config.port, 8080);
    assert.equal(config.concurrency, 5);
    assert.equal(config.maxTextCharacters, 30_000);
    assert.equal(config.kokoro, "auto");
    assert.ok(isAbsolute(config.data) && isAbsolute(config.models));
    assert.deepEqual(warnings, []);
  });

  it("are taken from the environment", () => {
    const { config } = readConfig({
      PARLANCE_HOST: "0.0.0.0",
      PARLANCE_PORT: "0",
      PARLANCE_DATA: "/srv/parlance",
      PARLANCE_DATABASE_URL: "postgres://ada:secret@db.example/parlance",
      PARLANCE_MODELS: "/srv/models",
      PARLANCE_ADMIN_KEY: "a-key-of-the-operator",
      PARLANCE_ADMIN_PASSWORD: "a password",
      PARLANCE_LOG: "warn",
      PARLANCE_WORKERS: "3",
      PARLANCE_QUEUE: "9",
      PARLANCE_MAX_TEXT: "500",
      PARLANCE_CONCURRENCY: "7",
      PARLANCE_REQUESTS_PER_MINUTE: "0",
      PARLANCE_KOKORO: "off",
      PARLANCE_DRAIN_SECONDS: "2",
      PARLANCE_LIVE_IDLE_SECONDS: "30",
    });
    assert.deepEqual(config, {
      host: "0.0.0.0",
      port: 0,
      data: "/srv/parlance",
      databaseUrl: "postgres://ada:secret@db.example/parlance",
      models: "/srv/models",
      adminKey: "a-key-of-the-operator",
      adminPassword: "a password",
      log: "warn",
      workers: 3,
      queue: 9,
      maxTextCharacters: 500,
      concurrency: 7,
      requestsPerMinute: 0,
      kokoro: "off",
      drainSeconds: 2,
      liveIdleSeconds: 30,
    });
  });

  const bad: readonly (readonly [string, string, RegExp])[] = [
    ["PARLANCE_DATABASE_URL", "mysql://u:p@h/d", /^PARLANCE_DATABASE_URL: the given value \(not shown\) is not allowed/],
    ["PARLANCE_PORT", "80a", /^PARLANCE_PORT: "80a" is not allowed, it must be an integer from 0 to 65535$/],
    ["PARLANCE_PORT", "65536", /65535$/],
    ["PARLANCE_PORT", "-1", /65535$/],
    ["PARLANCE_PORT", "1e3", /65535$/],
    ["PARLANCE_WORKERS", "0", /an integer from 1 to 256$/],
    ["PARLANCE_CONCURRENCY", "0", /from 1 to/],
    ["PARLANCE_LOG", "loud", /one of trace, debug, info, warn, error, fatal, silent$/],
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

  it("never show a secret, not even a bad one", () => {
    for (const name of ["PARLANCE_ADMIN_KEY", "PARLANCE_ADMIN_PASSWORD"]) {
      assert.throws(
        () => readConfig({ [name]: "hunter2" }),
        (error) => error instanceof ConfigError && !error.message.includes("hunter2") && error.message.startsWith(name),
      );
    }
  });

  it("warn of a name that is not ours, and guess what was meant", () => {
    assert.deepEqual(readConfig({ PARLANCE_PROT: "1", PARLANCE_SOMETHING_ELSE: "x" }).warnings, [
      "PARLANCE_PROT is not a setting and is ignored; did you mean PARLANCE_PORT?",
      "PARLANCE_SOMETHING_ELSE is not a setting and is ignored",
    ]);
  });
});

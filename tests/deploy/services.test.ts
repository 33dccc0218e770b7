import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { readConfig, SETTING_GROUPS } from "@parlance/server";
import { load } from "js-yaml";

const deploy = fileURLToPath(new URL("../../deploy", import.meta.url));
const read = (name: string): string => readFileSync(join(deploy, name), "utf8");
const { drainSeconds, maxConnections } = readConfig({}).config;
const numberIn = (text: string, pattern: RegExp): number => Number(pattern.exec(text)?.[1]);

const composeFiles = ["compose.yaml", "compose.cluster.yaml"];
interface Compose {
  readonly services: Readonly<
    Record<string, { readonly depends_on?: readonly string[] | object; readonly volumes?: readonly string[] }>
  >;
  readonly volumes?: object;
}

const caddyMissing = spawnSync("caddy", ["version"]).error === undefined ? false : "missing: apt-get install caddy";
const systemd = spawnSync("systemd-analyze", ["--version"]).error === undefined;

describe("the systemd unit", () => {
  it("is accepted by systemd", { skip: systemd ? false : "missing: apt-get install systemd" }, () => {
    const { status, stderr } = spawnSync("systemd-analyze", ["verify", join(deploy, "parlance.service")]);
    // The program is not installed on this machine.
    const problems = String(stderr)
      .split("\n")
      .filter((line) => line.includes("parlance.service") && !/not executable|No such file/.test(line));
    assert.deepEqual(problems, [], `status ${status}`);
  });

  it("allows as many open files as the service may have connections", () => {
    assert.ok(numberIn(read("parlance.service"), /LimitNOFILE=(\d+)/) > maxConnections * 2);
  });
});

describe("systemd and compose", () => {
  it("wait longer than the service drains before they kill it", () => {
    for (const name of composeFiles) assert.ok(numberIn(read(name), /stop_grace_period: (\d+)s/) > drainSeconds + 5);
    assert.ok(numberIn(read("parlance.service"), /TimeoutStopSec=(\d+)/) > drainSeconds + 5);
  });

  it("start two api nodes and two workers, with settings that exist", () => {
    const { services } = load(read("compose.cluster.yaml")) as {
      readonly services: Readonly<
        Record<string, { readonly deploy?: { replicas: number }; readonly environment?: Record<string, string> }>
      >;
    };
    assert.deepEqual(Object.keys(services).sort(), ["api", "caddy", "nats", "postgres", "worker"]);
    const known = new Set(SETTING_GROUPS.flatMap(({ settings }) => settings.map(({ name }) => name)));
    for (const role of ["api", "worker"]) {
      assert.equal(services[role]?.deploy?.replicas, 2);
      for (const name of Object.keys(services[role]?.environment ?? {})) assert.ok(known.has(name), name);
    }
  });

  it("use services and volumes that are defined, and Caddy accepts its file", { skip: caddyMissing }, () => {
    for (const name of composeFiles) {
      const { services, volumes = {} } = load(read(name)) as Compose;
      for (const [service, { depends_on = [], volumes: mounts = [] }] of Object.entries(services)) {
        const needed = Array.isArray(depends_on) ? depends_on : Object.keys(depends_on);
        for (const other of needed) assert.ok(other in services, `${name}: ${service} needs ${other}`);
        const named = mounts.map((mount) => mount.split(":", 1)[0] ?? "").filter((source) => /^\w/.test(source));
        for (const volume of named) assert.ok(volume in volumes, `${name}: ${service} mounts ${volume}`);
      }
    }
    const file = join(deploy, "Caddyfile.cluster");
    const { status, stderr } = spawnSync("caddy", ["validate", "--adapter", "caddyfile", "--config", file]);
    assert.equal(status, 0, String(stderr));
  });

  it("only mount files that exist", () => {
    for (const [, path = ""] of composeFiles.flatMap((name) => [...read(name).matchAll(/- (\.\/[^:]+):/g)])) {
      assert.ok(existsSync(join(deploy, path)), path);
    }
  });
});

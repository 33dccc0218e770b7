import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { readConfig } from "@parlance/server";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const { drainSeconds, maxConnections, port } = readConfig({}).config;
const cli = join("packages/cli", JSON.parse(read("packages/cli/package.json")).bin.parlance);
const workspaces: readonly string[] = JSON.parse(read("package.json")).workspaces;

/** What is copied into the image from here, and not from another stage. */
function copied(): string[] {
  const lines = read("deploy/Dockerfile").split("\n");
  const copies = lines.filter((line) => /^COPY (?!--from)/.test(line));
  return copies.flatMap((line) => line.split(/\s+/).slice(1, -1)).map((path) => normalize(path));
}

/** Whether the list of what is left out lets it through. Its patterns are simple: all, then exceptions. */
function isSent(path: string): boolean {
  const rules = read(".dockerignore")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  let sent = true;
  for (const rule of rules) {
    const pattern = rule.replace(/^!/, "");
    const source = pattern
      .replace(/[.+]/g, "\\$&")
      .replaceAll("**/", "\u0000")
      .replaceAll("*", "[^/]*")
      .replaceAll("\u0000", "(?:.*/)?");
    if (new RegExp(`^${source}(?:/.*)?$`).test(path)) sent = rule.startsWith("!");
  }
  return sent;
}

describe("the image", () => {
  it("is made of files that are there and that are sent to the builder", () => {
    for (const path of copied()) {
      assert.ok(existsSync(join(root, path)), `${path} is there`);
      assert.ok(isSent(path), `${path} is sent`);
    }
  });

  it("has every package, and leaves out what is made of the sources or only tests them", () => {
    for (const workspace of workspaces) {
      assert.ok(copied().includes(`${workspace}/package.json`), `${workspace}/package.json is copied`);
      assert.ok(!isSent(`${workspace}/dist/index.js`) && !isSent(`${workspace}/node_modules/x`));
    }
    assert.ok(isSent("packages/speech/assets/kokoro-student/student.onnx"));
    assert.ok(isSent("packages/speech/assets/voice-encoder/encoder.onnx"));
    assert.ok(isSent("packages/server/src/app.ts") && !isSent("packages/server/src/app.test.ts"));
    assert.ok(!isSent("packages/server/src/testing/tone-speech.ts"));
    for (const path of ["data/parlance.db", ".git/config", "node_modules/x/index.js", ".env"])
      assert.ok(!isSent(path), path);
  });

  it("starts the program, as somebody who is not root, and asks how it is", () => {
    const dockerfile = read("deploy/Dockerfile");
    assert.ok(dockerfile.includes(`ENTRYPOINT ["node", "/app/${normalize(cli)}"]`));
    assert.match(dockerfile, /^USER node$/m);
    assert.match(dockerfile, /^STOPSIGNAL SIGTERM$/m);
    assert.match(dockerfile, new RegExp(`^EXPOSE ${port}$`, "m"));
    const check = /CMD (\["node", "-e", .*\])$/m.exec(dockerfile)?.[1] ?? assert.fail("there is a check");
    const [, , script] = JSON.parse(check) as string[];
    // Nobody listens there: it must say so instead of failing to be a program.
    const { status, stderr } = spawnSync(process.execPath, ["-e", script ?? ""], { env: { PARLANCE_PORT: "1" } });
    assert.equal(String(stderr), "");
    assert.equal(status, 1);
  });

  it("needs nothing that is only there for tests: no source imports it", () => {
    const files = execFileSync("git", ["ls-files", "packages/*/src/*.ts"], { cwd: root, encoding: "utf8" }).split("\n");
    for (const file of files.filter((path) => path !== "" && isSent(path) && existsSync(join(root, path)))) {
      for (const [, target = ""] of read(file).matchAll(/from "(\.[^"]+)"/g)) {
        assert.ok(isSent(normalize(join(dirname(file), target))), `${file} imports ${target}`);
      }
    }
  });
});

describe("what stops the service", () => {
  const seconds = (text: string, pattern: RegExp): number => Number(pattern.exec(text)?.[1]);

  it("is more patient than the service drains", () => {
    assert.ok(seconds(read("deploy/compose.yaml"), /stop_grace_period: (\d+)s/) > drainSeconds + 5);
    assert.ok(seconds(read("deploy/parlance.service"), /TimeoutStopSec=(\d+)/) > drainSeconds + 5);
  });
});

describe("the files that compose mounts", () => {
  it("are there", () => {
    for (const [, path = ""] of read("deploy/compose.yaml").matchAll(/- (\.\/[^:]+):/g)) {
      assert.ok(existsSync(join(root, "deploy", path)), path);
    }
    assert.ok(readdirSync(join(root, "deploy")).includes("Dockerfile"));
  });
});

describe("the unit of systemd", () => {
  const unit = read("deploy/parlance.service");

  it("starts the program and lets it open as many files as it may have connections", () => {
    assert.ok(unit.includes(`ExecStart=/usr/bin/node /opt/parlance/${normalize(cli)} serve`));
    assert.ok(Number(/LimitNOFILE=(\d+)/.exec(unit)?.[1]) > maxConnections * 2);
  });

  it("is understood by systemd, where that is installed", () => {
    const { error, status, stderr } = spawnSync("systemd-analyze", ["verify", join(root, "deploy/parlance.service")]);
    if (error !== undefined) return;
    // That the program is not installed on this machine is not the unit's fault.
    const complaints = String(stderr)
      .split("\n")
      .filter((line) => line.includes("parlance.service") && !/not executable|No such file/.test(line));
    assert.deepEqual(complaints, [], `status ${status}`);
  });
});

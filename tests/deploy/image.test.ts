import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, it } from "node:test";
import { temporaryFolder } from "../../packages/server/src/testing/temporary-folder.ts";
import { startTestServer } from "../../packages/server/src/testing/test-server.ts";

const root = process.cwd();
const dockerfile = readFileSync(join(root, "deploy/Dockerfile"), "utf8");

/** Whether `.dockerignore` lets a file through. Its patterns are simple: everything, then exceptions. */
function isSent(path: string): boolean {
  const rules = readFileSync(join(root, ".dockerignore"), "utf8").split("\n");
  let sent = true;
  for (const rule of rules.filter((line) => line !== "" && !line.startsWith("#"))) {
    const source = rule
      .replace(/^!/, "")
      .replace(/[.+]/g, "\\$&")
      .replaceAll("**/", "\u0000")
      .replaceAll("*", "[^/]*")
      .replaceAll("\u0000", "(?:.*/)?");
    if (new RegExp(`^${source}(?:/.*)?$`).test(path)) sent = rule.startsWith("!");
  }
  return sent;
}

/** The paths that the first stage copies from the build context. */
function copiedPaths(): string[] {
  const lines = dockerfile.split("\n").filter((line) => /^COPY (?!--)/.test(line));
  return lines.flatMap((line) => line.split(/\s+/).slice(1, -1)).map((path) => normalize(path));
}

/** The installed packages, with those of this repository linked to their copies. */
function linkDependencies(folder: string): void {
  const [from, to] = [join(root, "node_modules"), join(folder, "node_modules")];
  mkdirSync(join(to, "@parlance"), { recursive: true });
  for (const name of readdirSync(from)) if (name !== "@parlance") symlinkSync(join(from, name), join(to, name));
  for (const name of readdirSync(join(folder, "packages"))) {
    symlinkSync(join(folder, "packages", name), join(to, "@parlance", name));
    const own = join("packages", name, "node_modules");
    if (existsSync(join(root, own))) symlinkSync(join(root, own), join(folder, own));
  }
}

describe("the image", () => {
  it("compiles from the files that are sent to the builder, without tests and test code", async (context) => {
    const folder = await temporaryFolder(context);
    const copied = copiedPaths();
    const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { cwd: root, encoding: "utf8" });
    const sent = listed.split("\n").filter((path) => path !== "" && isSent(path) && existsSync(join(root, path)));
    for (const path of copied) {
      assert.ok(
        sent.some((file) => file === path || file.startsWith(`${path}/`)),
        `${path} is sent`,
      );
    }
    const files = sent.filter((file) => copied.some((path) => file === path || file.startsWith(`${path}/`)));
    for (const file of files.filter((path) => /\.(ts|tsx|json|css|html)$/.test(path))) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      cpSync(join(root, file), join(folder, file));
    }
    linkDependencies(folder);
    const tsc = join(root, "node_modules/typescript/bin/tsc");
    execFileSync(process.execPath, [tsc, "-b"], { cwd: folder, stdio: "inherit" });
    const entry = /^ENTRYPOINT \["node", "\/app\/([^"]+)"\]$/m.exec(dockerfile)?.[1] ?? assert.fail("no entry point");
    assert.ok(existsSync(join(folder, entry)), `${entry} was compiled`);
  });

  it("has a health check that passes on a running server and fails without one", async (context) => {
    const server = await startTestServer();
    context.after(() => server.close());
    const command: unknown = JSON.parse(/^ +CMD (\["node".*\])$/m.exec(dockerfile)?.[1] ?? "[]");
    assert.ok(Array.isArray(command));
    const check = async (port: string): Promise<number> => {
      const child = spawn(process.execPath, command.slice(1), { env: { PARLANCE_PORT: port }, stdio: "inherit" });
      const [code] = await once(child, "exit");
      return code;
    };
    assert.equal(await check(new URL(server.url).port), 0);
    assert.equal(await check("1"), 1);
  });
});

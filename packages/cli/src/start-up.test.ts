import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { runCli } from "./testing/run-cli.ts";

/** What makes a start slow, and what `--help` must do without: it also has to work on a broken installation. */
const heavy = [
  /\/packages\/(server|speech|client)\//,
  /\/packages\/protocol\/(src|dist)\/index\./,
  /\/node_modules\/(zod|msgpackr|ws|fastify|pino|pg|libsql|node-av|onnxruntime-node|onnxruntime-common)\//,
];

for (const args of [["--help"], ["--version"], ["say", "--help"], ["users", "create", "--help"], ["trace", "--help"]]) {
  it(`loads neither engines nor server nor schemas for ${args.join(" ")}`, { timeout: 120_000 }, async () => {
    const modules = await loadedModules(args);
    assert.ok(modules.some((url) => /\/cli\/src\/program\.[jt]s$/.test(url)));
    assert.ok(modules.some((url) => url.includes("/node_modules/commander/")));
    assert.deepEqual(
      modules.filter((url) => heavy.some((pattern) => pattern.test(url))),
      [],
    );
  });
}

it("loads schemas and records, but not the service, for a command that works on the database", {
  timeout: 120_000,
}, async () => {
  const modules = await loadedModules(["wallet", "subscription", "ada@example.org", "{}"]);
  assert.ok(modules.some((url) => url.includes("/node_modules/zod/")));
  assert.ok(modules.some((url) => /\/server\/src\/records\.[jt]s$/.test(url)));
  const service =
    /\/packages\/(server\/src\/compose|speech\/src\/index)\b|\/node_modules\/(fastify|onnxruntime-node)\//;
  assert.deepEqual(
    modules.filter((url) => service.test(url)),
    [],
  );
});

/** The addresses of all modules that a run of the command line loads, as V8 lists them for coverage. */
async function loadedModules(args: readonly string[]): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), "parlance-start-"));
  try {
    await runCli(args, { NODE_V8_COVERAGE: folder, PARLANCE_DATA: folder });
    const reports = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), "utf8")));
    return reports.flatMap((report) => {
      const { result }: { readonly result: readonly { readonly url: string }[] } = JSON.parse(report);
      return result.map(({ url }) => url);
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

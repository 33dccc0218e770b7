/** The published packages, as a user gets them: packed, installed into an empty folder, and used from there. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, describe, it } from "node:test";
import { packAll, type Tarball } from "../../scripts/pack.ts";
import { runProgram, startService, TEST_KEY } from "./installed.ts";
import { programSource, projectFiles, typesSource } from "./project.ts";

const fileDeadline = { timeout: 900_000 };
const step = { timeout: 300_000 };

describe("the packed packages", fileDeadline, () => {
  let folder: string;
  let installed: string;
  let tarballs: readonly Tarball[];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "parlance-packages-"));
    installed = join(folder, "installed");
    await mkdir(installed);
    tarballs = packAll(join(folder, "tarballs"));
  }, step);
  after(() => rm(folder, { recursive: true, force: true }));

  const pathsOf = (...names: readonly string[]): readonly string[] =>
    tarballs.filter(({ name }) => names.length === 0 || names.includes(name)).map(({ path }) => path);

  it("contain the built files, the licence and the readme, and neither tests nor sources", () => {
    assert.deepEqual(
      tarballs.map(({ name }) => name),
      ["protocol", "speech", "client", "dashboard", "server", "cli"].map((name) => `@parlance/${name}`),
    );
    for (const { name, files, size, unpackedSize } of tarballs) {
      console.log(
        `${name}: ${files.length} files, ${Math.ceil(size / 1024)} KiB, ${Math.ceil(unpackedSize / 1024)} KiB unpacked`,
      );
      for (const file of ["package.json", "README.md", "LICENSE", "NOTICE"])
        assert.ok(files.includes(file), `${name}: ${file}`);
      assert.ok(
        files.some((file) => file.startsWith("dist/")),
        `${name} holds no built file`,
      );
      const unwanted = files.filter((file) =>
        /\.test\.|\btesting\b|^src\/|(?<!\.d)\.tsx?$|tsbuildinfo|\.env/.test(file),
      );
      assert.deepEqual(unwanted, [], name);
      // Every built file has a source map, and every source map a built file.
      assert.ok(!files.some((file) => file.endsWith(".d.ts.map")), name);
    }
  });

  it("can be installed from the tarballs without install scripts", step, async () => {
    const install = ["install", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"];
    await runProgram("npm", [...install, ...pathsOf()], installed);
    for (const { name, files } of tarballs) {
      const home = join(installed, "node_modules", name);
      const manifest: unknown = JSON.parse(await readFile(join(home, "package.json"), "utf8"));
      assert.ok(typeof manifest === "object" && manifest !== null);
      assert.ok(!("private" in manifest) && !("scripts" in manifest) && !("devDependencies" in manifest), name);
      // Each path that the manifest names has to be in the tarball.
      for (const [, path = ""] of JSON.stringify({ ...manifest, files: [] }).matchAll(
        /"(?:\.\/)?((?:dist|src)\/[^"]+)"/g,
      )) {
        assert.ok(files.includes(path) && existsSync(join(home, path)), `${name} names ${path}`);
      }
    }
  });

  it("install the command parlance", step, async () => {
    const { stdout } = await runProgram("npx", ["--no-install", "parlance", "--version"], installed);
    assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
  });

  it("speak from the command line", step, async () => {
    const words = "This sentence was spoken by a packed and installed program.";
    await runProgram("npx", ["--no-install", "parlance", "say", words, "-o", "x.wav"], installed);
    const wav = await readFile(join(installed, "x.wav"));
    assert.equal(wav.toString("latin1", 0, 4) + wav.toString("latin1", 8, 12), "RIFFWAVE");
    const samples = new Int16Array(wav.buffer, wav.byteOffset + 44, Math.floor((wav.length - 44) / 2));
    const seconds = samples.length / wav.readUInt32LE(24);
    assert.ok(seconds > 1.5 && seconds < 15, `${seconds} s`);
    assert.ok(samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0) > 3000, "the audio is too quiet");
  });

  it("serve the API and the dashboard, and a client program compiles and runs against them", step, async () => {
    const service = await startService(installed, join(folder, "data"));
    try {
      assert.equal((await fetch(`${service.url}/health/ready`, { signal: AbortSignal.timeout(10_000) })).status, 200);
      const page = await fetch(service.url, { signal: AbortSignal.timeout(10_000) });
      assert.equal(page.status, 200);
      assert.match(await page.text(), /<script type="module"/);
      const speech = await fetch(`${service.url}/v1/tts`, {
        method: "POST",
        headers: { authorization: `Bearer ${TEST_KEY}`, model: "s2-pro", "content-type": "application/json" },
        body: JSON.stringify({ text: "Hello!" }),
        signal: AbortSignal.timeout(60_000),
      });
      assert.equal(speech.headers.get("content-type"), "audio/mpeg");
      assert.ok((await speech.arrayBuffer()).byteLength > 4000);

      const project = join(folder, "project");
      await writeProject(project, "program.ts", programSource);
      const install = ["install", "--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"];
      const { devDependencies } = JSON.parse(await readFile("package.json", "utf8"));
      const types = `@types/node@${devDependencies["@types/node"]}`;
      await runProgram("npm", [...install, types, ...pathsOf("@parlance/client", "@parlance/protocol")], project);
      const tsc = resolve("node_modules", ".bin", "tsc");
      await runProgram(tsc, ["--module", "esnext", "--moduleResolution", "bundler", "--noEmit"], project);
      await runProgram(tsc, [], project);
      const { stdout } = await runProgram(process.execPath, ["program.js"], project, {
        PARLANCE_URL: service.url,
        PARLANCE_API_KEY: TEST_KEY,
      });
      assert.match(stdout, /^spoke \d{4,} bytes; live \d{4,} bytes; refused with \w+\n$/);

      // The types of the other packages, from where all of them are installed.
      await writeProject(installed, "types.ts", typesSource);
      const typeRoots = join(project, "node_modules", "@types");
      for (const mode of ["nodenext", "bundler"]) {
        const resolution = ["--module", mode === "bundler" ? "esnext" : mode, "--moduleResolution", mode];
        await runProgram(tsc, ["-p", ".", "--noEmit", "--typeRoots", typeRoots, ...resolution], installed);
      }
    } finally {
      await service.stop();
    }
  });

  async function writeProject(path: string, name: string, source: string): Promise<void> {
    await mkdir(path, { recursive: true });
    await writeFile(join(path, name), source);
    for (const [file, content] of projectFiles(name)) {
      if (!existsSync(join(path, file))) await writeFile(join(path, file), content);
    }
  }
});

/**
 * Makes the packages that are published: `npm run pack -- FOLDER` builds all of them and writes their tarballs there.
 * Each is put together in a folder of its own, from the outputs of its sources: no leftover of an earlier build gets in.
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { filesBelow } from "./files.ts";

export interface Tarball {
  readonly name: string;
  readonly path: string;
  readonly files: readonly string[];
  /** Bytes of the tarball, and of the files in it. */
  readonly size: number;
  readonly unpackedSize: number;
}

interface PackReport {
  readonly name: string;
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

/** npm runs scripts there. */
const root = process.cwd();
/** In the order in which they can be published: each after those that it depends on. */
const packages = ["protocol", "speech", "client", "dashboard", "server", "cli"] as const;

export function packAll(destination: string): readonly Tarball[] {
  mkdirSync(destination, { recursive: true });
  const stage = mkdtempSync(join(tmpdir(), "parlance-pack-"));
  try {
    run(bin("tsc"), ["-b"]);
    for (const name of packages) assemble(name, join(stage, name));
    const folders = packages.map((name) => join(stage, name));
    const output = run("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", destination, ...folders]);
    const reports: readonly PackReport[] = JSON.parse(output);
    return reports.map(({ name, filename, size, unpackedSize, files }) => ({
      name,
      path: resolve(destination, filename),
      files: files.map(({ path }) => path),
      size,
      unpackedSize,
    }));
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

function assemble(name: string, target: string): void {
  const source = join(root, "packages", name);
  mkdirSync(target);
  if (name === "dashboard") buildDashboard(join(target, "dist"));
  else copyOutputs(source, join(target, "dist"));
  if (existsSync(join(source, "assets"))) cpSync(join(source, "assets"), join(target, "assets"), { recursive: true });
  copyFileSync(join(source, "README.md"), join(target, "README.md"));
  for (const file of ["LICENSE", "NOTICE"]) copyFileSync(join(root, file), join(target, file));
  const manifest: unknown = JSON.parse(readFileSync(join(source, "package.json"), "utf8"));
  writeFileSync(join(target, "package.json"), `${JSON.stringify(publishedManifest(manifest, name), null, 2)}\n`);
}

function buildDashboard(outDir: string): void {
  const folder = join(root, "packages", "dashboard");
  run(bin("vite"), ["build", "--logLevel", "warn", "--emptyOutDir", "--outDir", outDir], folder);
}

function copyOutputs(folder: string, target: string): void {
  const sources = join(folder, "src");
  for (const path of filesBelow(sources, ".ts")) {
    const file = relative(sources, path).replace(/\.ts$/, "");
    // As the `exclude` of the compiler, and declarations that it only reads.
    if (/\.(test|d)$/.test(file) || file.startsWith("testing/")) continue;
    for (const output of [`${file}.js`, `${file}.js.map`, `${file}.d.ts`]) {
      const built = join(folder, "dist", output);
      if (!existsSync(built)) throw new Error(`${built} is missing: run "npx tsc -b --force"`);
      mkdirSync(dirname(join(target, output)), { recursive: true });
      copyFileSync(built, join(target, output));
    }
  }
}

/** Without what only development needs: the export condition for the sources, which are not published, and scripts. */
function publishedManifest(manifest: unknown, name: string): object {
  if (typeof manifest !== "object" || manifest === null) throw new Error(`packages/${name}/package.json is no object`);
  const {
    scripts: _scripts,
    devDependencies: _development,
    ...published
  } = { scripts: 0, devDependencies: 0, ...manifest };
  const withoutSource = JSON.parse(JSON.stringify(published, (key, value) => (key === "source" ? undefined : value)));
  const { GITHUB_SERVER_URL: host, GITHUB_REPOSITORY: repository } = process.env;
  // A signed statement of origin is refused by the registry unless the manifest names the repository.
  return host && repository
    ? {
        ...withoutSource,
        repository: { type: "git", url: `git+${host}/${repository}.git`, directory: `packages/${name}` },
      }
    : withoutSource;
}

function bin(name: string): string {
  return join(root, "node_modules", ".bin", name);
}

function run(command: string, args: readonly string[], cwd: string = root): string {
  const { status, error, stdout } = spawnSync(command, args, {
    cwd,
    timeout: 300_000,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (error) throw error;
  if (status !== 0) throw new Error(`${command} ${args[0]} failed:\n${stdout}`);
  return stdout;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { name, path, files, size } of packAll(resolve(process.argv[2] ?? "dist"))) {
    console.log(`${name}: ${files.length} files, ${(size / 1024).toFixed(0)} KiB, ${path}`);
  }
}

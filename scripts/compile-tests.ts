/**
 * Compiles the tests and everything that they import into `dist/tests`, with the folders of the repository. A process
 * that loads the server from there takes a third of the CPU time that it takes with tsx, and the suite starts hundreds.
 */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { transform } from "esbuild";
import { bundleLibrary } from "./bundle-library.ts";
import { compiled, isSource } from "./compiled-path.ts";

/** The source file that an import statement, as esbuild writes it, or a dynamic import names. */
const importedSource = /((?:^(?:import|export|\}) ?(?:[^"'`;=()]*\bfrom )?|\bimport\())"(\.{1,2}\/[^"\n]*)\.tsx?"/gm;

/** Its 262 modules take a tenth of the CPU time of loading the server. */
const bundledLibraries = ["kysely"];

const compiledRoots = ["bench", "packages", "scripts", "tests"];

/** Compiles what has changed since the last time, and links everything else to the repository. */
export async function compileTests(root = "."): Promise<void> {
  const compiler = modified(join(root, "scripts", "compile-tests.ts"));
  const place = async (file: string): Promise<void> => {
    const [source, target] = [join(root, file), join(root, compiled(file))];
    if (file.endsWith("package.json")) write(target, withCompiledExports(readFileSync(source, "utf8")));
    else if (!isSource(file)) link(source, target);
    else if (modified(target) < Math.max(modified(source), compiler)) write(target, await compile(source));
  };
  const folders = compiledRoots.filter((folder) => existsSync(join(root, folder)));
  for (const folder of folders) {
    // A folder that was linked before it was compiled: the link leads to the sources.
    const target = join(root, compiled(folder));
    if (lstatSync(target, { throwIfNoEntry: false })?.isSymbolicLink()) rmSync(target);
  }
  await Promise.all(folders.flatMap((folder) => entriesBelow(root, folder)).map(place));
  for (const library of bundledLibraries) await bundleLibrary(resolve(root), library, write);
  for (const name of readdirSync(root)) {
    if (![...compiledRoots, "dist", "node_modules", ".git"].includes(name)) await place(name);
  }
  // A test builds it while others use the link.
  await place(join("packages", "dashboard", "dist"));
  // Found before those of the repository's `node_modules`, which lead to the sources.
  for (const name of readdirSync(join(root, "packages"))) {
    link(join(root, compiled(join("packages", name))), join(root, compiled(join("node_modules", "@parlance", name))));
  }
}

/** The files below a folder. Folders of installed and built files are entries themselves. */
function entriesBelow(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() && !["node_modules", "dist"].includes(entry.name) ? entriesBelow(root, path) : [path];
  });
}

async function compile(file: string): Promise<string> {
  const { code } = await transform(readFileSync(file, "utf8"), {
    loader: file.endsWith("x") ? "tsx" : "ts",
    jsx: "automatic",
    format: "esm",
    target: "node20",
    sourcemap: "inline",
    sourcesContent: false,
    sourcefile: pathToFileURL(file).href,
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  });
  return code.replace(importedSource, '$1"$2.js"');
}

/** Found without the export condition `source`, which would also lead to the sources of other libraries. */
function withCompiledExports(manifest: string): string {
  return manifest.replace(/("source": ".*)\.ts"/g, '$1.js"').replace(/("default": "\.)\/dist\//g, "$1/src/");
}

function modified(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function write(file: string, content: string): void {
  replace(file, (temporary) => writeFileSync(temporary, content));
}

function link(from: string, to: string): void {
  // A folder that was compiled by an earlier version.
  if (lstatSync(to, { throwIfNoEntry: false })?.isDirectory()) rmSync(to, { recursive: true });
  replace(to, (temporary) => symlinkSync(resolve(from), temporary));
}

/** In one step: another run may read the file. */
function replace(file: string, create: (temporary: string) => void): void {
  mkdirSync(dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}`;
  create(temporary);
  renameSync(temporary, file);
}

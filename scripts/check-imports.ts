/** Checks imports against import-rules.ts: packages, folders, declared dependencies, and no circular imports. */
import { readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join, relative, sep } from "node:path";
import { filesBelow } from "./files.ts";
import { findCircles } from "./find-circles.ts";
import { commonFiles, folderRules, loadedLate, packageRules } from "./import-rules.ts";
import { importsOf, loadedBy } from "./imports.ts";

const problems: string[] = [];
const imports = new Map<string, readonly string[]>();

for (const name of Object.keys(packageRules)) {
  checkRules(name);
  const root = join("packages", name);
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const declared = new Set(Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }));
  for (const file of [...filesBelow(join(root, "src"), ".ts"), ...filesBelow(join(root, "src"), ".tsx")]) {
    const forTests = /\.test\.tsx?$/.test(file) || file.includes(`${sep}testing${sep}`);
    if (!forTests && !(folderOf(name, file) in (folderRules[name] ?? {}))) {
      problems.push(`${file} lies in a folder that scripts/import-rules.ts does not know`);
    }
    const local: string[] = [];
    for (const { specifier } of importsOf(file)) {
      if (specifier.startsWith(".")) {
        const target = join(dirname(file), specifier);
        local.push(target);
        checkFolder(name, file, target, forTests);
      } else if (!forTests) checkPackage(name, file, specifier, declared);
    }
    imports.set(file, local);
  }
}

for (const circle of findCircles(imports)) {
  problems.push(`circular import: ${[...circle, circle[0]].join(" -> ")}`);
}

for (const [file, late] of Object.entries(loadedLate)) {
  const loaded = loadedBy(file, { atOnce: true });
  for (const name of late.filter((each) => loaded.has(each))) {
    problems.push(
      `${file} loads ${name} at once: it takes memory in every server, and should be imported where it is used`,
    );
  }
}

/** The folder of a file below `src`, "." for `src` itself. */
function folderOf(name: string, file: string): string {
  return (
    relative(join("packages", name, "src"), dirname(file))
      .split(sep)
      .join("/") || "."
  );
}

/** A rule may only name folders that stand before it, or above or below it in the tree. */
function checkRules(name: string): void {
  const rules = folderRules[name] ?? {};
  const order = Object.keys(rules);
  for (const [index, folder] of order.entries()) {
    for (const other of order.slice(index + 1)) {
      if (allows(rules[folder], other) && !isInside(folder, other) && !isInside(other, folder)) {
        problems.push(`scripts/import-rules.ts: ${name}/${folder} names ${other}, which stands after it`);
      }
    }
  }
}

function isInside(folder: string, parent: string): boolean {
  return parent === "." || folder.startsWith(`${parent}/`);
}

function allows(allowed: readonly string[] | undefined, folder: string): boolean {
  return (allowed ?? []).some((entry) => {
    if (entry === "*") return true;
    const subtree = entry.endsWith("/*") ? entry.slice(0, -2) : undefined;
    return entry === folder || subtree === folder || (subtree !== undefined && isInside(folder, subtree));
  });
}

function checkFolder(name: string, file: string, target: string, forTests: boolean): void {
  if (forTests && target.startsWith("tests/support/")) return;
  if (relative(join("packages", name, "src"), target).startsWith("..")) {
    problems.push(`${file} imports a file outside its package: ${target}`);
    return;
  }
  if (forTests || commonFiles.includes(target)) return;
  const [from, to] = [folderOf(name, file), folderOf(name, target)];
  const allowed = folderRules[name]?.[from];
  if (to === "testing") problems.push(`${file} imports test code: ${target}`);
  else if (from !== to && !allows(allowed, to)) {
    problems.push(
      `${file} may not import ${target}: ${name}/${from} may import ${allowed?.join(", ") || "only itself"}`,
    );
  }
}

function checkPackage(name: string, file: string, specifier: string, declared: ReadonlySet<string>): void {
  const [scopeOrName = "", inScope] = specifier.split("/");
  const imported = scopeOrName.startsWith("@") ? `${scopeOrName}/${inScope}` : scopeOrName;
  if (imported.startsWith("node:") || builtinModules.includes(imported)) return;
  const sibling = imported.match(/^@parlance\/(.+)$/)?.[1];
  if (sibling !== undefined && !packageRules[name]?.includes(sibling)) {
    problems.push(`${file} may not import ${imported}: ${name} may import ${packageRules[name]?.join(", ") || "none"}`);
  } else if (!declared.has(imported)) {
    problems.push(`${file} imports ${imported}, which packages/${name}/package.json does not declare`);
  }
}

for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);
console.log("imports are in order");

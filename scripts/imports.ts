import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const statement =
  /^[ \t]*(?:import|export)(\s+type)?\b([^"';]*?)\bfrom\s+"([^"]+)"|^import\s+"([^"]+)"|\bimport\("([^"]+)"\)/gm;

export interface Import {
  /** As written. */
  readonly specifier: string;
  /** Whether only types are imported, which leaves nothing at run time. */
  readonly typeOnly: boolean;
  /** Whether it is loaded only when the statement runs. */
  readonly dynamic: boolean;
}

const known = new Map<string, readonly Import[]>();

/** The imports of a source file: static, re-exported and dynamic. Each file is read once. */
export function importsOf(file: string): readonly Import[] {
  const found = known.get(file) ?? readImports(file);
  known.set(file, found);
  return found;
}

function readImports(file: string): Import[] {
  return [...readFileSync(file, "utf8").matchAll(statement)].map((match) => ({
    specifier: match[3] ?? match[4] ?? match[5] ?? "",
    typeOnly: match[1] !== undefined || namesOnlyTypes(match[2] ?? ""),
    dynamic: match[5] !== undefined,
  }));
}

function namesOnlyTypes(clause: string): boolean {
  const names = clause.match(/^\s*\{([^}]*)\}\s*$/)?.[1]?.split(",");
  return names?.every((name) => /^\s*(type\s.*)?$/.test(name)) ?? false;
}

/**
 * Everything that a file loads: itself, the files that it imports by relative path and what those import, and the names
 * of the packages that any of them imports. Packages are not looked into. `atOnce` leaves out dynamic imports.
 */
export function loadedBy(file: string, { atOnce = false } = {}): Set<string> {
  const loaded = new Set<string>();
  const open = [file];
  for (let current = open.pop(); current !== undefined; current = open.pop()) {
    if (loaded.has(current)) continue;
    loaded.add(current);
    if (!/\.tsx?$/.test(current) || !existsSync(current)) continue;
    for (const { specifier, typeOnly, dynamic } of importsOf(current)) {
      if (typeOnly || (atOnce && dynamic)) continue;
      open.push(specifier.startsWith(".") ? join(dirname(current), specifier) : specifier);
    }
  }
  return loaded;
}

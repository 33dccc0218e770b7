/** Checks that imports run in the directions that ARCHITECTURE.md draws, and only to packages that are declared. */
import { readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join, relative, sep } from "node:path";
import { filesBelow } from "./files.ts";

/** What a package may import of the others. */
const packages: Readonly<Record<string, readonly string[]>> = {
  protocol: [],
  speech: [],
  client: ["protocol"],
  server: ["protocol", "speech"],
  cli: ["client", "protocol", "server", "speech"],
  dashboard: ["client", "protocol"],
};

/** What a folder of a package may import of its neighbours. Files right below `src` tie the folders together. */
const folders: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  speech: {
    models: [],
    text: [],
    audio: ["text"],
    onnx: [],
    g2p: ["text"],
    engines: ["audio", "g2p", "models", "onnx", "text"],
    voices: ["engines"],
    clone: ["audio", "engines", "g2p", "models", "onnx", "pool", "recognition", "text"],
    live: ["text"],
    pool: ["engines", "text"],
  },
  server: {
    telemetry: [],
    stores: [],
    services: ["stores", "telemetry"],
    http: ["services", "telemetry"],
    openapi: [],
    live: ["http", "services", "telemetry"],
    metrics: ["http", "services", "telemetry"],
    routes: ["http", "metrics", "openapi", "services", "telemetry"],
  },
};
/** Types and errors that every folder of a package may know. */
const commonFiles: readonly string[] = [
  "packages/speech/src/plain-request.ts",
  "packages/speech/src/speech.ts",
  "packages/speech/src/tracing.ts",
  "packages/speech/src/transcript.ts",
  "packages/server/src/config.ts",
  "packages/server/src/stores/store-error.ts",
];

const complaints: string[] = [];

for (const name of Object.keys(packages)) {
  const root = join("packages", name);
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const declared = new Set(Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }));
  for (const file of [...filesBelow(join(root, "src"), ".ts"), ...filesBelow(join(root, "src"), ".tsx")]) {
    const forTests = file.endsWith(".test.ts") || file.includes(`${sep}testing${sep}`);
    for (const specifier of importsOf(file)) {
      if (specifier.startsWith(".")) checkFolder(name, file, join(dirname(file), specifier), forTests);
      else if (!forTests) checkPackage(name, file, specifier, declared);
    }
  }
}

function importsOf(file: string): string[] {
  const source = readFileSync(file, "utf8");
  const statements = source.matchAll(
    /^\s*(?:import|export)\b[^"';]*?from\s+"([^"]+)"|^import\s+"([^"]+)"|\bimport\("([^"]+)"\)/gm,
  );
  return [...statements].map((match) => match[1] ?? match[2] ?? match[3] ?? "");
}

function checkFolder(name: string, file: string, target: string, forTests: boolean): void {
  const root = join("packages", name, "src");
  if (relative(root, target).startsWith("..")) {
    complaints.push(`${file} reaches out of its package: ${target}`);
    return;
  }
  if (commonFiles.includes(target)) return;
  const [from = "", to = ""] = [file, target].map((path) => {
    const parts = relative(root, path).split(sep);
    return parts.length > 1 ? parts[0] : "";
  });
  const allowed = folders[name]?.[from];
  if (!forTests && to === "testing") complaints.push(`${file} uses test code: ${target}`);
  else if (allowed && from !== to && !(forTests && to === "testing") && !allowed.includes(to)) {
    complaints.push(`${file} may not import ${target}: ${name}/${from} knows only ${allowed.join(", ") || "itself"}`);
  }
}

function checkPackage(name: string, file: string, specifier: string, declared: ReadonlySet<string>): void {
  const [scopeOrName = "", inScope] = specifier.split("/");
  const imported = scopeOrName.startsWith("@") ? `${scopeOrName}/${inScope}` : scopeOrName;
  if (imported.startsWith("node:") || builtinModules.includes(imported)) return;
  const sibling = imported.match(/^@parlance\/(.+)$/)?.[1];
  if (sibling !== undefined && !packages[name]?.includes(sibling)) {
    complaints.push(`${file} may not import ${imported}: ${name} knows only ${packages[name]?.join(", ") || "itself"}`);
  } else if (!declared.has(imported)) {
    complaints.push(`${file} imports ${imported}, which packages/${name}/package.json does not declare`);
  }
}

for (const complaint of complaints) console.error(complaint);
if (complaints.length > 0) process.exit(1);
console.log("imports run in the right directions");

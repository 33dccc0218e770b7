import { relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { compiled as compiledPath } from "../../scripts/compiled-path.ts";

const compiled = !import.meta.url.endsWith(".ts");

/** The flags of Node.js with which a child process runs the sources as this one does: compiled before, or with tsx. */
export const sourceFlags: readonly string[] = compiled
  ? ["--enable-source-maps"]
  : ["--conditions=source", "--import", import.meta.resolve("tsx")];

/** The path of a source file, or of its compiled form where this process runs compiled. */
export function sourcePath(file: string, from: string): string {
  return fileURLToPath(new URL(compiled ? file.replace(/\.ts$/, ".js") : file, from));
}

/** The sources that `compileTests` has compiled, for a process that itself runs with tsx. */
export const compiledSources = {
  flags: ["--enable-source-maps"],
  pathOf(file: string, from: string): string {
    if (compiled) return sourcePath(file, from);
    return resolve(compiledPath(relative(process.cwd(), fileURLToPath(new URL(file, from)))));
  },
} as const;

import { fileURLToPath } from "node:url";

const compiled = !import.meta.url.endsWith(".ts");

/** The flags of Node.js with which a child process runs the sources as this one does: compiled before, or with tsx. */
export const sourceFlags: readonly string[] = compiled
  ? ["--enable-source-maps"]
  : ["--conditions=source", "--import", import.meta.resolve("tsx")];

/** The path of a source file, or of its compiled form where this process runs compiled. */
export function sourcePath(file: string, from: string): string {
  return fileURLToPath(new URL(compiled ? file.replace(/\.ts$/, ".js") : file, from));
}

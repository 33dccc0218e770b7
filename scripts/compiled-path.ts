import { join, relative } from "node:path";

export const compiledFolder = join("dist", "tests");

/** Where the compiled form of a source file lies, and any other file next to it. */
export function compiled(file: string): string {
  return join(compiledFolder, isSource(file) ? file.replace(/\.tsx?$/, ".js") : file);
}

/** The source file of a compiled test, or the path itself. */
export function sourceOf(file: string): string {
  return file.startsWith(compiledFolder) ? relative(compiledFolder, file).replace(/\.js$/, ".ts") : file;
}

export function isSource(file: string): boolean {
  return /(?<!\.d)\.tsx?$/.test(file);
}

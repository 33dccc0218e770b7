import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** The file of a program in the folders of `PATH`. */
export function findProgram(path: string, name: string): string | undefined {
  const folders = path.split(delimiter).filter((folder) => folder !== "");
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

import { readdirSync } from "node:fs";
import { join } from "node:path";

/** The files below a folder whose names end so, in a steady order. Dependencies and built files do not count. */
export function filesBelow(folder: string, ending: string): string[] {
  const found: string[] = [];
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name === "node_modules" || entry.name === "dist") continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) found.push(...filesBelow(path, ending));
    else if (entry.name.endsWith(ending)) found.push(path);
  }
  return found;
}

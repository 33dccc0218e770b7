import { createRequire } from "node:module";

/** The version of the command line. */
export function version(): string {
  const manifest: unknown = createRequire(import.meta.url)("../package.json");
  return typeof manifest === "object" && manifest !== null && "version" in manifest ? String(manifest.version) : "";
}

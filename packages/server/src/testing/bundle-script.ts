import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/**
 * Bundles a script of this folder with all code of this repository that it uses, and returns the path. A process starts
 * much faster from the bundle, which matters when a test starts dozens.
 */
export async function bundleScript(name: string): Promise<string> {
  // In dist, where packages resolve and git ignores the file.
  const folder = fileURLToPath(new URL("../../dist/", import.meta.url));
  mkdirSync(folder, { recursive: true });
  const outfile = `${folder}${process.pid}-${name.replace(/\.ts$/, ".mjs")}`;
  await build({
    entryPoints: [fileURLToPath(new URL(name, import.meta.url))],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    conditions: ["source"],
    logLevel: "error",
    plugins: [
      {
        name: "own code only",
        setup({ onResolve }) {
          onResolve({ filter: /^[^./]/ }, ({ path }) =>
            path.startsWith("@parlance/") ? undefined : { path, external: true },
          );
        },
      },
    ],
  });
  return outfile;
}

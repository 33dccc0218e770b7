import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/**
 * Puts a script of this folder and all of our own code that it uses into one file, and gives its path. A process that
 * runs it starts in a fraction of the time, which counts where dozens of them are started.
 */
export async function bundleScript(name: string): Promise<string> {
  // Where built code lies: packages are found from there, and git does not look.
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

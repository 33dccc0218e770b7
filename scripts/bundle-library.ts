import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { compiled } from "./compiled-path.ts";

/**
 * Writes an installed library as one module to where compiled tests find it. Only for libraries of hundreds of modules
 * that no other library imports: those would load a second copy.
 */
export async function bundleLibrary(root: string, name: string, write: (file: string, text: string) => void) {
  const installed = join(root, "node_modules", name, "package.json");
  if (!existsSync(installed)) return;
  const { version } = JSON.parse(readFileSync(installed, "utf8"));
  const target = join(root, compiled(join("node_modules", name)));
  const manifest = JSON.stringify({ name, version, type: "module", exports: "./index.js" });
  const written = join(target, "package.json");
  if (existsSync(written) && readFileSync(written, "utf8") === manifest) return;
  const { outputFiles } = await build({
    stdin: { contents: `export * from "${name}";`, resolveDir: root },
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20",
    write: false,
  });
  write(join(target, "index.js"), outputFiles[0]?.text ?? "");
  write(written, manifest);
}

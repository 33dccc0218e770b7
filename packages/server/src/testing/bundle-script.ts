import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { sourcePath } from "../../../../tests/support/child-sources.ts";

/** Libraries with native code are loaded from where they are installed. */
const native = ["libsql", "@node-rs/argon2", "node-av", "pg-native"];
/** Libraries that real engines use. Scripts with the tone engine never call them. */
const unused = /^(onnxruntime-node|onnxruntime-common|npm-registry-fetch|@npmcli\/config|tar)(\/|$)/;

/**
 * Bundles a script of this folder with the code and the libraries that it uses, and returns the path. A process starts
 * much faster from the bundle, which matters when a test starts dozens.
 */
export async function bundleScript(name: string): Promise<string> {
  // Two folders below the package, like most sources: code that finds package.json by a relative path works here too.
  const folder = fileURLToPath(new URL("../../dist/bundles/", import.meta.url));
  mkdirSync(folder, { recursive: true });
  const outfile = `${folder}${process.pid}-${name.replace(/\.ts$/, ".mjs")}`;
  await build({
    entryPoints: [sourcePath(name, import.meta.url)],
    outfile,
    bundle: true,
    minifySyntax: true,
    minifyWhitespace: true,
    platform: "node",
    format: "esm",
    conditions: ["source"],
    external: native,
    logLevel: "error",
    // CommonJS libraries call these.
    banner: {
      js: `import { createRequire as bundleRequire } from "node:module";
const require = bundleRequire(import.meta.url);
const __dirname = import.meta.dirname, __filename = import.meta.filename;`,
    },
    plugins: [
      {
        name: "leave out unused libraries",
        setup({ onResolve, onLoad }) {
          onResolve({ filter: unused }, ({ path }) => ({ path, namespace: "unused" }));
          onLoad({ filter: /.*/, namespace: "unused" }, () => ({ contents: "module.exports = {};", loader: "js" }));
        },
      },
    ],
  });
  return outfile;
}

import { defineConfig } from "vite";

export default defineConfig({
  esbuild: { jsx: "automatic" },
  // Inlined assets would need data: in the content security policy of the page.
  build: { outDir: "dist", assetsInlineLimit: 0, modulePreload: { polyfill: false } },
});

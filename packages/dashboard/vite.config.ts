import { defineConfig } from "vite";

export default defineConfig({
  esbuild: { jsx: "automatic" },
  build: {
    outDir: "dist",
    // Inlined assets would need data: in the content security policy of the page.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: {
      onwarn(warning, report) {
        // Notes that a dependency has written for another bundler.
        if (warning.code !== "INVALID_ANNOTATION") report(warning);
      },
    },
  },
});

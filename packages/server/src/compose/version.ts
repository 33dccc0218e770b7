import { createRequire } from "node:module";

/** The version of the server package. */
export const VERSION = String(createRequire(import.meta.url)("../../package.json").version);

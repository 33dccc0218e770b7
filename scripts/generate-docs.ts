/** npm run docs: writes the pages of docs/ that are generated. A test fails when one of them is stale. */
import { writeFileSync } from "node:fs";
import { generatedPages } from "./docs/pages.ts";

for (const { path, text } of generatedPages()) {
  writeFileSync(path, text);
  console.log(path);
}

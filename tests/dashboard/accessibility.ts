import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Violation {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** The violations that axe rates serious or critical, one line each. */
export async function seriousFaults(page: Page): Promise<readonly string[]> {
  // The page's policy allows no other scripts; evaluate is not subject to it.
  await page.evaluate(source);
  const violations = (await page.evaluate("axe.run().then(({ violations }) => violations)")) as readonly Violation[];
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}, ${nodes.length} times: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
}

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Violation {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** The rules whose outcome depends on colors. A theme changes nothing else. */
export const COLOR_RULES = ["color-contrast", "link-in-text-block"];

/** The violations that axe rates serious or critical, one line each. By all of its rules, or by some. */
export async function seriousFaults(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  // The page's policy allows no other scripts; evaluate is not subject to it. Routes are fragments, so it is loaded once.
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(source);
  const options = JSON.stringify({ resultTypes: ["violations"], ...(rules && { runOnly: rules }) });
  const violations = (await page.evaluate(
    `axe.run(${options}).then(({ violations }) => violations)`,
  )) as readonly Violation[];
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}, ${nodes.length} times: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
}

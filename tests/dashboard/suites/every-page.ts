import assert from "node:assert/strict";
import { seriousFaults } from "../accessibility.ts";
import { screenshot, speakTraced, type Visit, visits } from "../studio.ts";

const PAGES = [
  "start",
  "api",
  "speak",
  "live",
  "talk",
  "transcribe",
  "projects",
  "history",
  "voices",
  "keys",
  "wallet",
  "traces",
  "account",
  "admin",
];

/** What every page must have: accessibility in both themes, and room on a phone. */
export function everyPageSuite(): void {
  for (const theme of ["light", "dark"] as const) {
    visits(
      `has no serious accessibility fault on any page in ${theme}`,
      async (visit) => {
        await onEachPage(visit, async (name) => {
          assert.deepEqual(await seriousFaults(visit.page), [], `${name} in ${theme}`);
          await screenshot(visit.page, `${name}-${theme}`);
        });
      },
      { role: "admin", browser: { colorScheme: theme } },
    );
  }

  visits(
    "fits on a phone",
    async (visit) => {
      await onEachPage(visit, async (name) => {
        const wider = Number(await visit.page.evaluate("document.documentElement.scrollWidth - innerWidth"));
        assert.ok(wider <= 0, `${name} is ${wider} pixels too wide`);
        await screenshot(visit.page, `${name}-phone`);
      });
    },
    { role: "admin", browser: { viewport: { width: 390, height: 800 } } },
  );
}

async function onEachPage({ page, open, client }: Visit, look: (name: string) => Promise<void>): Promise<void> {
  const traceId = await speakTraced(client, "A trace to look at.");
  const pages = [...PAGES.map((name) => [name, name]), ["trace", `traces/${traceId}`]];
  for (const [name = "", route = ""] of pages) {
    await open(route);
    await page.waitForLoadState("networkidle");
    await look(name);
  }
}

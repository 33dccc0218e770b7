import assert from "node:assert/strict";
import { COLOR_RULES, seriousFaults } from "../accessibility.ts";
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

const DESKTOP = { width: 1280, height: 860 };
const PHONE = { width: 390, height: 800 };

/** What every page must have: accessibility in both themes, and room on a phone. A page is loaded once for all three. */
export function everyPageSuite(): void {
  visits(
    "has no serious accessibility fault on any page in light and dark, fits on a phone, and asks for nothing that is refused",
    async (visit) => {
      const { page, faults } = visit;
      await onEachPage(visit, async (name) => {
        assert.deepEqual(await seriousFaults(page), [], `${name} in light`);
        await screenshot(page, `${name}-light`);
        await page.emulateMedia({ colorScheme: "dark" });
        await page.locator(':root[data-theme="dark"]').waitFor();
        assert.deepEqual(await seriousFaults(page, COLOR_RULES), [], `${name} in dark`);
        await screenshot(page, `${name}-dark`);
        await page.emulateMedia({ colorScheme: "light" });
        await page.setViewportSize(PHONE);
        const wider = Number(await page.evaluate("document.documentElement.scrollWidth - innerWidth"));
        assert.ok(wider <= 0, `${name} is ${wider} pixels too wide`);
        await screenshot(page, `${name}-phone`);
        await page.setViewportSize(DESKTOP);
      });
      assert.deepEqual(faults.refused, []);
    },
    { role: "admin", browser: { viewport: DESKTOP } },
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

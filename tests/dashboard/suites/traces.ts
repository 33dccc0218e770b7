import assert from "node:assert/strict";
import { screenshot, speakTraced, visits } from "../studio.ts";

export function tracesSuite(): void {
  visits("links speech to its trace, which shows every step", async ({ page, open, played }) => {
    await open("speak");
    await page.getByLabel("Text").fill("Traced.");
    await page.getByRole("button", { name: "Speak", exact: true }).click();
    await played();
    await page.getByRole("main").getByRole("link", { name: "Trace", exact: true }).click();
    await page.getByRole("heading", { name: "Trace", level: 1 }).waitFor();
    assert.match(page.url(), /#\/traces\/[0-9a-f]{32}$/);
    const steps = page.getByRole("rowheader");
    await steps.first().waitFor();
    const names = await steps.allTextContents();
    assert.equal(names[0], "edge");
    for (const name of ["admission", "text", "inference", "alignment", "encode"]) {
      assert.ok(
        names.some((step) => step.startsWith(name)),
        `${name} is not among ${names.join(", ")}`,
      );
    }
    await steps.first().getByRole("button").press("End");
    await page.keyboard.press("Home");
    await page.keyboard.press("Enter");
    const details = page.locator("tr.details");
    await details.getByText("http.route").waitFor();
    assert.equal(await details.count(), 1);
    await screenshot(page, "trace");
    await page.keyboard.press("Enter");
    await details.waitFor({ state: "detached" });
  });

  visits(
    "lists recent requests, filters them, and opens one by its id",
    async ({ page, open, client }) => {
      const traceId = await speakTraced(client, "Listed.");
      await open("traces");
      const rows = page.getByRole("region", { name: "Recent requests" }).locator("tbody tr");
      await rows.first().waitFor();
      const before = await rows.count();
      await page.getByLabel("Status").selectOption("error");
      await page.getByText("No matching requests").waitFor();
      assert.ok(page.url().endsWith("#/traces?status=error"), page.url());
      await page.getByRole("button", { name: "Clear filters" }).click();
      await page.getByLabel("Min. duration (ms)").fill("86400000");
      await page.getByText("No matching requests").waitFor();
      await page.getByLabel("Min. duration (ms)").fill("");
      await page.getByLabel("Operation").selectOption("tts");
      await page.getByRole("button", { name: "All accounts" }).click();
      await page.getByRole("heading", { name: "Recent requests of all accounts" }).waitFor();
      await rows.first().waitFor();
      assert.ok((await rows.count()) >= before);
      await page.getByLabel("Trace id").fill("not an id");
      await page.getByRole("button", { name: "Open" }).click();
      await page.getByRole("alert").getByText("32 hex digits").waitFor();
      await page.getByLabel("Trace id").fill("f".repeat(32));
      await page.getByRole("button", { name: "Open" }).click();
      await page.getByText("Trace not found").waitFor();
      await page.getByLabel("Trace id").fill(`00-${traceId}-00f067aa0ba902b7-01`);
      await page.getByRole("button", { name: "Open" }).click();
      await page.getByRole("rowheader").first().waitFor();
      assert.ok(page.url().endsWith(traceId), page.url());
    },
    { role: "admin" },
  );
}

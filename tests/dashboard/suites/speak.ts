import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { outputPeak } from "../browser.ts";
import { SOUND_MS, screenshot, visits } from "../studio.ts";

/** The pages Speak and Live. */
export function speakSuite(): void {
  visits("plays audio while it arrives, and highlights the current word", async ({ page, open, played }) => {
    await open("speak");
    await page
      .getByLabel("Text")
      .fill(
        "One two three four five six seven eight nine ten. That was all of it, and every word lit up as it was heard.",
      );
    await page.getByRole("button", { name: "Speak", exact: true }).click();
    const marked = new Set<string>();
    let peak = 0;
    const deadline = performance.now() + SOUND_MS;
    while (performance.now() < deadline && (marked.size < 4 || peak < 0.01)) {
      for (const word of await page.locator(".word.now").allTextContents()) marked.add(word);
      peak = Math.max(peak, await outputPeak(page).catch(() => 0));
      await sleep(50);
    }
    assert.ok(peak >= 0.01, `the loudest sample at the loudspeaker was ${peak}`);
    assert.ok(marked.size >= 4, `marked words: ${[...marked].join(" ")}`);
    assert.match((await page.getByTestId("first-audio").textContent()) ?? "", /^\d+ ms$/);
    await screenshot(page, "dashboard");
    await played();
  });

  visits("keeps the typed text over a reload, and saves the audio as a file", async ({ page, open, played }) => {
    await open("speak");
    await page.getByLabel("Text").fill("A short one.");
    await page.reload();
    assert.equal(await page.getByLabel("Text").inputValue(), "A short one.");
    await page.getByRole("button", { name: "Speak", exact: true }).click();
    await played();
    const button = page.getByRole("button", { name: "Download mp3" });
    const [download] = await Promise.all([page.waitForEvent("download", { timeout: SOUND_MS }), button.click()]);
    assert.equal(download.suggestedFilename(), "speech.mp3");
  });

  visits("speaks the text of a simulated language model live", async ({ page, open, played }) => {
    await open("live");
    await page.getByRole("button", { name: "Simulated language model" }).click();
    await page.getByLabel("Text to stream").fill("Hello there. I am being written while I speak.");
    await page.getByRole("button", { name: "Start the stream" }).click();
    await played();
    const words = await page.locator(".word").allTextContents();
    assert.match(words.join(" "), /Hello there.* written while I speak/);
    // Browsers do not expose the headers of a socket: the link opens the list.
    await page.getByRole("main").getByRole("link", { name: "Traces" }).click();
    const rows = page.getByRole("region", { name: "Recent requests" }).locator("tbody tr");
    await rows.first().waitFor();
    assert.ok(page.url().endsWith("#/traces?operation=live"), page.url());
  });
}

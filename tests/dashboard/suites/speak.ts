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
        "One two three four five six seven eight nine ten. That was all of it, and every word lit up as it was played.",
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

  visits("inserts marks at the cursor and around a selection, with the keyboard", async ({ page, open }) => {
    await open("speak");
    const text = page.getByLabel("Text");
    await text.fill("The NASA is here.");
    await page.evaluate("document.querySelector('textarea').setSelectionRange(4, 8)");
    const spell = page.getByRole("button", { name: "Spell out" });
    await spell.focus();
    await page.getByText("Letters and digits are named one by one.").waitFor();
    await spell.press("Enter");
    assert.equal(await text.inputValue(), "The <|spell_start|>NASA<|spell_end|> is here.");
    await page.keyboard.press("Control+z");
    assert.equal(await text.inputValue(), "The NASA is here.");
    await page.evaluate("document.querySelector('textarea').setSelectionRange(9, 9)");
    await page.getByRole("button", { name: "Speaker", exact: true }).click();
    assert.equal(await text.inputValue(), "The NASA <|speaker:1|>is here.");
    await page.getByRole("button", { name: /^Choose the voice of Speaker 1/ }).waitFor();
    await page.getByRole("button", { name: "Pause", exact: true }).click();
    assert.equal(await text.inputValue(), "The NASA <|speaker:1|>[break]is here.");
    assert.match((await page.getByLabel("Code sample in curl").textContent()) ?? "", /"reference_id":\["",""\]/);
  });

  visits("recognizes SSML, converts it, and says what is left out", async ({ page, open, played }) => {
    await open("speak");
    const text = page.getByLabel("Text");
    await text.fill("<speak>\n<p>Hello</s></speak>");
    await page.getByRole("button", { name: "Convert" }).click();
    await page
      .getByRole("alert")
      .getByText(/line 2, column 12/)
      .waitFor();
    await page.getByRole("button", { name: /^Choose the voice: / }).waitFor();
    await text.fill('<speak>Hi. <voice name="bf_emma"><emphasis>Hello</emphasis> you.</voice></speak>');
    await page.getByRole("button", { name: "Convert" }).click();
    await page.getByText("Without effect, and left out: emphasis").waitFor();
    assert.equal(await text.inputValue(), "Hi. <|speaker:1|>Hello you.");
    await page.getByRole("button", { name: /^Choose the voice of Speaker 1: Emma/ }).waitFor();
    await page.getByRole("button", { name: "Speak", exact: true }).click();
    await played();
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

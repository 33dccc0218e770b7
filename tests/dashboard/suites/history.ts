import assert from "node:assert/strict";
import { testModels } from "../../../packages/speech/src/testing/models.ts";
import { SOUND_MS, visits } from "../studio.ts";

export function historySuite(): void {
  visits("keeps speech, which can be found, played and downloaded again for free", async (visit) => {
    const { page, open, played, client } = visit;
    await open("speak");
    await page.getByLabel("Text").fill("The quick brown fox, kept for later.");
    await page.getByRole("button", { name: "Speak", exact: true }).click();
    await played();
    const { balance } = await client.wallet.package();
    const [first] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download mp3" }).click(),
    ]);
    assert.equal(first.suggestedFilename(), "speech.mp3");
    await open("history");
    await page.getByLabel("Search").fill("nothing like it");
    await page.getByText("No matching entries").waitFor();
    await page.getByLabel("Search").fill("BROWN fox");
    await page.getByRole("link", { name: "The quick brown fox, kept for later." }).click();
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await page.locator(".word.now").first().waitFor();
    assert.equal(await page.locator(".spoken").textContent(), "The quick brown fox, kept for later.");
    await page.getByLabel("Audio format").selectOption("flac");
    const [second] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Download audio" }).click(),
    ]);
    assert.equal(second.suggestedFilename(), "speech.flac");
    assert.equal((await client.wallet.package()).balance, balance);
    await page.getByRole("button", { name: "Speak again" }).click();
    assert.equal(await page.getByLabel("Text").inputValue(), "The quick brown fox, kept for later.");
  });

  visits("keeps a transcript with its recording, and deletes it", async ({ page, open, client }) => {
    const models = await testModels("test-speech");
    await open("transcribe");
    await page.locator('input[type="file"]').setInputFiles(models.path("test-speech", "jfk.wav"));
    await page.getByRole("region", { name: "Transcript" }).waitFor({ timeout: SOUND_MS });
    await open("history");
    await page.getByRole("button", { name: "Transcripts" }).click();
    await page.getByRole("link", { name: "jfk.wav" }).click();
    await page.getByRole("slider", { name: "Playback position" }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "vtt", exact: true }).click(),
    ]);
    assert.equal(download.suggestedFilename(), "jfk.vtt");
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("Nothing here yet").waitFor();
    assert.equal((await client.history.list()).total, 0);
  });
}

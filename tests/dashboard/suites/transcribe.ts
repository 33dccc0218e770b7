import assert from "node:assert/strict";
import { testModels } from "../../../packages/speech/src/testing/models.ts";
import { SOUND_MS, visits } from "../studio.ts";

export function transcribeSuite(): void {
  visits("transcribes a file, and a click on a word seeks to it", async ({ page, open, context }) => {
    const models = await testModels("test-speech");
    await open("transcribe");
    await page.locator('input[type="file"]').setInputFiles(models.path("test-speech", "jfk.wav"));
    await page.getByRole("region", { name: "Transcript" }).waitFor({ timeout: SOUND_MS });
    const words = (await page.locator(".word").allTextContents()).join(" ");
    assert.match(words, /ask not what your country can do for you/i);
    await page.locator(".word").nth(5).click();
    await page.locator(".word.now").first().waitFor();
    for (const kind of ["txt", "srt", "vtt", "json", "docx"]) {
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: kind, exact: true }).click(),
      ]);
      assert.equal(download.suggestedFilename(), `jfk.${kind}`);
    }
    const link = page.getByRole("main").getByRole("link", { name: "Trace", exact: true });
    assert.match((await link.getAttribute("href")) ?? "", /^#\/traces\/[0-9a-f]{32}$/);
    const [opened] = await Promise.all([context.waitForEvent("page"), link.click({ modifiers: ["Control"] })]);
    for (const name of ["decode", "vad", "transcription"]) {
      await opened.getByRole("rowheader", { name }).first().waitFor();
    }
  });

  visits("records the microphone, and finds no speech in its beeps", async ({ page, open }) => {
    await open("transcribe");
    await page.getByRole("button", { name: "Record" }).click();
    // By the clock of the recorder, which starts with the microphone.
    await page.getByRole("button", { name: /^Stop and transcribe \(0:(0[3-9]|[1-5]\d)\)/ }).waitFor();
    await page.getByRole("button", { name: /^Stop and transcribe/ }).click();
    await page.getByText("No speech was found in this recording.").waitFor({ timeout: SOUND_MS });
  });
}

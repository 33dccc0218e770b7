import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import type { Page } from "playwright-core";
import { decodeAudio } from "../../../packages/speech/src/testing/decode-audio.ts";
import { testModels } from "../../../packages/speech/src/testing/models.ts";
import { concatSamples } from "../../../packages/speech/src/testing/signals.ts";
import { wavFile } from "../../../packages/speech/src/testing/wav-file.ts";
import { launchBrowser } from "../browser.ts";
import { openContext, SOUND_MS, signedIn, TEST_MS, type Visit, visits } from "../studio.ts";

/** Two readers, one after the other. */
async function writeDialogue(path: string): Promise<void> {
  const models = await testModels("test-speech");
  const clips = ["librivox/sense_and_sensibility_01_austen_64kb-0870.wav", "jfk.wav"].map((name) =>
    decodeAudio(readFileSync(models.path("test-speech", name))),
  );
  const pause = new Float32Array(8000);
  const samples = concatSamples(clips.flatMap((clip) => [clip.samples, pause]));
  writeFileSync(path, wavFile([samples], { sampleRate: 16_000 }));
}

async function saved(page: Page, kind: string): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: kind, exact: true }).click(),
  ]);
  return readFileSync(await download.path(), "utf8");
}

/** The newest entry of the history, once it is as expected. */
async function keptAs({ client, page }: Visit, isKept: (text: string, speakers: readonly unknown[]) => boolean) {
  for (;;) {
    const [first] = (await client.history.list({ kind: "transcript" })).items;
    const entry = first && (await client.history.get(first._id));
    if (entry && isKept(entry.text, [...new Set(entry.words.map(({ speaker }) => speaker))])) return entry;
    await page.waitForTimeout(100);
  }
}

export function transcriptsSuite(): void {
  visits("identifies speakers, renames them, edits the text, and keeps it all", async (visit, test) => {
    const { page, open } = visit;
    const folder = mkdtempSync(join(tmpdir(), "parlance-dialogue-"));
    test.after(() => rmSync(folder, { recursive: true }));
    const [silence, dialogue] = [join(folder, "silence.wav"), join(folder, "dialogue.wav")];
    writeFileSync(silence, wavFile([new Float32Array(24_000)], { sampleRate: 16_000 }));
    await writeDialogue(dialogue);
    await open("transcribe");
    await page.getByLabel("Language").fill("en");
    await page.getByLabel("Speakers", { exact: true }).selectOption("2");
    await page.locator('input[type="file"]').setInputFiles([silence, dialogue]);
    await page.locator('li[data-state="waiting"]').waitFor();
    const transcript = page.getByRole("region", { name: "Transcript" });
    await page.getByText("2 of 2 recordings are done").waitFor({ timeout: SOUND_MS });
    assert.deepEqual(await transcript.locator(".speaker").allTextContents(), ["A", "B"]);
    await page.getByLabel("Name of B").fill("Kennedy");
    await page.getByRole("button", { name: "Rename" }).click();
    await transcript.locator(".speaker", { hasText: "Kennedy" }).waitFor();
    await page.getByRole("button", { name: "Edit" }).click();
    const turn = page.getByLabel(/^Kennedy, /);
    await turn.fill((await turn.inputValue()).replace(/fellow/i, "dear"));
    await page.getByRole("button", { name: "Save the text" }).click();
    await transcript.locator(".word", { hasText: "dear" }).click();
    await page.locator(".word.now").first().waitFor();
    assert.match(await saved(page, "txt"), /^A: .+\n\nKennedy: .*my dear Americans/s);
    assert.match(await saved(page, "vtt"), /<v Kennedy>/);
    assert.match(await saved(page, "docx"), /word\/document\.xml.*Kennedy \(0:\d\d\): /s);
    await keptAs(visit, (text, speakers) => /my dear americans/i.test(text) && speakers.includes("Kennedy"));
    await open("history");
    await page.getByRole("link", { name: "dialogue.wav" }).first().click();
    await page.locator(".speaker", { hasText: "Kennedy" }).waitFor();
    await page.getByLabel("Name of A").fill("Reader");
    await page.getByRole("button", { name: "Rename" }).click();
    await page.locator(".speaker", { hasText: "Reader" }).waitFor();
    await page.reload();
    await page.locator(".speaker", { hasText: "Reader" }).waitFor();
  });

  it("shows live captions of the microphone, and keeps them", { timeout: TEST_MS }, async (test) => {
    const models = await testModels("test-speech");
    // The microphone of a browser is chosen when it starts.
    const browser = await launchBrowser(models.path("test-speech", "jfk.wav"));
    test.after(() => browser.close());
    const { context, faults } = await openContext({}, browser);
    const { page, open, client } = await signedIn(context, "member");
    await open("transcribe");
    await page.getByRole("button", { name: "Start captions" }).click();
    await page
      .locator(".captions")
      .getByText(/what your country/i)
      .waitFor({ timeout: SOUND_MS });
    await page.getByRole("button", { name: "Stop captions" }).click();
    await page.getByRole("region", { name: "Transcript" }).waitFor({ timeout: SOUND_MS });
    await page.getByRole("slider", { name: "Playback position" }).waitFor();
    await open("history");
    await page.getByRole("link", { name: /^captions / }).waitFor();
    const [entry] = (await client.history.list()).items;
    assert.match((await client.history.get(entry?._id ?? "")).text, /what your country/i);
    assert.deepEqual(faults.list, []);
  });
}

import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { zip } from "../../../packages/dashboard/src/lib/zip.ts";
import { until } from "../../support/until.ts";
import { seriousFaults } from "../accessibility.ts";
import { HOSTILE, SOUND_MS, screenshot, visits } from "../studio.ts";

const PAGE = (body: string) => `<html><head><title>x</title></head><body>${body}</body></html>`;

/** A book of two chapters. */
function epub(): Blob {
  const opf =
    "<package><metadata><title>A short book</title></metadata><manifest>" +
    '<item id="a" href="a.xhtml" media-type="application/xhtml+xml"/>' +
    '<item id="b" href="b.xhtml" media-type="application/xhtml+xml"/>' +
    '</manifest><spine><itemref idref="a"/><itemref idref="b"/></spine></package>';
  return zip([
    { name: "META-INF/container.xml", content: '<container><rootfile full-path="book.opf"/></container>' },
    { name: "book.opf", content: opf },
    { name: "a.xhtml", content: PAGE("<h1>One</h1><p>Yes.</p>") },
    { name: "b.xhtml", content: PAGE("<h1>Two</h1><p>No.</p>") },
  ]);
}

async function download(page: Page, click: () => Promise<void>) {
  const [file] = await Promise.all([page.waitForEvent("download", { timeout: SOUND_MS }), click()]);
  return file.suggestedFilename();
}

export function projectsSuite(): void {
  visits("reads an EPUB, speaks it, plays it through, and exports it", async ({ page, open, client }) => {
    await open("projects");
    await page.getByText("No projects yet").waitFor();
    await page.getByRole("button", { name: "New project" }).click();
    const dialog = page.getByRole("dialog");
    const buffer = Buffer.from(await epub().arrayBuffer());
    const input = dialog.locator('input[type="file"]');
    await input.setInputFiles({
      name: "broken.epub",
      mimeType: "application/epub+zip",
      buffer: buffer.subarray(0, 99),
    });
    await dialog.getByText("not a ZIP archive").waitFor();
    await input.setInputFiles({ name: "book.epub", mimeType: "application/epub+zip", buffer });
    await dialog.getByText("2 chapters, 4 paragraphs").waitFor();
    assert.equal(await dialog.getByLabel("Title").inputValue(), "A short book");
    assert.deepEqual(await seriousFaults(page), []);
    await dialog.getByRole("button", { name: "Create the project" }).click();
    await page.getByRole("heading", { name: "A short book", level: 1 }).waitFor();
    await page.getByText("Files can be saved when every paragraph is spoken.").waitFor();

    // The server may be away for a while, as for a restart: the page goes on by itself.
    await page.route("**/projects/*", (route) => route.abort());
    await page.getByRole("button", { name: "Speak all" }).click();
    await page.getByText("The server cannot be reached").waitFor();
    await page.unrouteAll();
    await page.getByText("4 of 4 paragraphs are spoken").waitFor({ timeout: SOUND_MS });

    const played = await watchParagraphs(page);
    await page.getByRole("button", { name: "Listen through" }).click();
    await until(async () => (await played()).includes("No."), {
      what: "the last paragraph is played",
      timeoutMs: SOUND_MS,
    });
    assert.deepEqual(await played(), ["One", "Yes.", "Two", "No."]);
    const current = page.locator('[aria-current="true"]');
    await current.waitFor({ state: "detached" });

    const card = page.getByRole("region", { name: "Export" });
    await card.getByLabel("Audio format").selectOption("m4b");
    await card.getByLabel("Subtitles").selectOption("vtt");
    for (const format of ["m4b", "vtt"]) {
      const link = card.getByRole("link", { name: `Download ${format}` });
      assert.equal(await download(page, () => link.click()), `A short book.${format}`);
    }
    await card.getByRole("button", { name: "One for each chapter" }).click();
    await card.getByLabel("Audio format").selectOption("mp3");
    const saved: string[] = [];
    page.on("download", (file) => saved.push(file.suggestedFilename()));
    await card.getByRole("button", { name: "Download 2 chapters" }).click();
    await until(() => saved.length === 4, { what: "four files", timeoutMs: SOUND_MS });
    assert.deepEqual(saved.sort(), ["1 One.mp3", "1 One.vtt", "2 Two.mp3", "2 Two.vtt"]);
    assert.deepEqual(await seriousFaults(page), []);
    await screenshot(page, "project");

    await page.getByRole("button", { name: "Delete the project" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("No projects yet").waitFor();
    assert.equal((await client.projects.list()).total, 0);
  });

  visits(
    "edits paragraphs, speakers and pronunciations on a phone, and speaks one paragraph again",
    async ({ page, open, client }) => {
      await open("projects");
      await page.getByRole("button", { name: "New project" }).click();
      await page.getByRole("dialog").getByLabel("Title").fill(HOSTILE);
      await page.getByRole("dialog").getByLabel("Text", { exact: true }).fill("# Scene\n\nHello GIF.");
      await page.getByRole("button", { name: "Create the project" }).click();
      await page.getByRole("heading", { name: HOSTILE, level: 1 }).waitFor();
      const id = page.url().split("/").at(-1) ?? "";

      await page.getByLabel("New speaker").fill("Ann");
      await page.getByRole("button", { name: "Add the speaker" }).click();
      await page.getByRole("button", { name: /^Choose the voice of Ann/ }).click();
      await page.getByRole("dialog").getByLabel("Search").fill("emma");
      await page.getByRole("dialog").getByRole("button", { name: /^Emma/ }).click();
      await page.getByText("Title, language, speed, pronunciations").click();
      await page.getByLabel("Pronunciations").fill("GIF = jiff");
      await page.getByRole("button", { name: "Save the settings" }).click();
      await page.getByText("Saved", { exact: true }).waitFor();

      await page.getByRole("button", { name: "Edit paragraph 2" }).click();
      // The focus is not lost with the button.
      await until(async () => (await page.evaluate("document.activeElement.tagName")) === "TEXTAREA");
      await page.getByLabel("Paragraph 2").fill("Hello GIF.\n\nBye.");
      await page.getByLabel("Speaker", { exact: true }).selectOption("Ann");
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.getByRole("button", { name: "Speak paragraph 3 again" }).waitFor();
      const focused = "document.activeElement.getAttribute('aria-label')";
      await until(async () => (await page.evaluate(focused)) === "Edit paragraph 2");
      const { chapters, speakers, pronunciations } = await client.projects.get(id);
      assert.deepEqual(
        chapters[0]?.paragraphs.map(({ text, speaker }) => [text, speaker]),
        [
          ["Scene", ""],
          ["Hello GIF.", "Ann"],
          ["Bye.", "Ann"],
        ],
      );
      assert.match(speakers.Ann ?? "", /^[0-9a-f]{32}$/);
      assert.deepEqual(pronunciations, { GIF: "jiff" });
      const wider = Number(await page.evaluate("document.documentElement.scrollWidth - innerWidth"));
      assert.ok(wider <= 0, `the page is ${wider} pixels too wide`);
      assert.deepEqual(await seriousFaults(page), []);
      await screenshot(page, "project-phone");

      await page.getByRole("button", { name: "Speak paragraph 3 again" }).click();
      await page.getByText("3 of 3 paragraphs are spoken").waitFor({ timeout: SOUND_MS });
      assert.equal((await client.projects.get(id)).chapters[0]?.paragraphs[2]?.take, 1);
    },
    { browser: { viewport: { width: 390, height: 800 } } },
  );
}

/** Records each paragraph that is marked as the current one: a short one is marked for a moment only. */
async function watchParagraphs(page: Page): Promise<() => Promise<string[]>> {
  const seen = await page.evaluateHandle<string[]>(`(() => {
    const texts = [];
    const look = () => {
      const text = document.querySelector('[aria-current="true"] .text')?.textContent;
      if (text && texts.at(-1) !== text) texts.push(text);
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
    return texts;
  })()`);
  return () => seen.jsonValue();
}

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { testModels } from "../../../packages/speech/src/testing/models.ts";
import { until } from "../../support/until.ts";
import { SOUND_MS, visits } from "../studio.ts";

/** The test recording has 16 bits at 16 kHz. */
const BYTES_PER_SECOND = 32_000;
const LONG_TEXT = Array.from({ length: 30 }, (_, index) => `This is sentence number ${index + 1}.`).join(" ");

/** What once broke: each test is a defect that a user met. */
export function robustnessSuite(): void {
  visits(
    "offers a reload when a page cannot be loaded, and shows the page once the server is back",
    async ({ page, open }) => {
      await open("speak");
      await page.route("**/*", (route) => route.abort());
      await page.getByRole("link", { name: "Voices", exact: true }).click();
      await page.getByRole("heading", { name: "This page could not be loaded" }).waitFor();
      await page.getByRole("button", { name: "Reload" }).click();
      await page.getByRole("alert").getByText("The server cannot be reached").waitFor();
      await page.getByRole("link", { name: "Speak", exact: true }).click();
      await page.getByRole("heading", { name: "Speak", level: 1 }).waitFor();
      await page.getByRole("link", { name: "Voices", exact: true }).click();
      await page.unrouteAll();
      await page.getByRole("button", { name: "Reload" }).click();
      await page.getByRole("heading", { name: "Voices", level: 1 }).waitFor();
    },
    { faults: "allowed" },
  );

  visits(
    "offers a reload in an old tab after an upgrade",
    async ({ page, open }) => {
      await open("speak");
      await page.route("**/assets/**", (route) => route.fulfill({ status: 404, body: "{}" }));
      await page.getByRole("link", { name: "API keys" }).click();
      await page.getByRole("heading", { name: "This page could not be loaded" }).waitFor();
      await page.unrouteAll();
      await page.getByRole("button", { name: "Reload" }).click();
      await page.getByRole("heading", { name: "API keys", level: 1 }).waitFor();
    },
    { faults: "allowed" },
  );

  visits("keeps a transcript when one leaves the page, in one tab stop", async ({ page, open }) => {
    const models = await testModels("test-speech");
    await open("transcribe");
    await page.locator('input[type="file"]').setInputFiles(models.path("test-speech", "jfk.wav"));
    await page.getByRole("region", { name: "Transcript" }).waitFor({ timeout: SOUND_MS });
    await page.getByRole("main").getByRole("link", { name: "Trace", exact: true }).click();
    await page.getByRole("heading", { name: "Trace", level: 1 }).waitFor();
    await page.goBack();
    const text = page.getByRole("region", { name: "Transcript" }).locator(".spoken");
    await text.waitFor();
    assert.match((await text.textContent()) ?? "", /what your country can do for you/);
    const stops = await text.locator('button[tabindex="0"]').count();
    assert.equal(stops, 1);
    await text.locator("button").first().focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    const focused = await page.evaluate("document.activeElement.textContent");
    assert.equal(focused, await text.locator("button").nth(2).textContent());
  });

  visits("shows why a recording waits, and how far a long one is", async ({ page, open }) => {
    let refusals = 0;
    await page.route("**/v1/asr", async (route) => {
      refusals += 1;
      if (refusals > 1) return route.continue();
      return route.fulfill({
        status: 503,
        headers: { "retry-after": "2", "x-error-code": "not_ready" },
        json: { status: 503, message: "The models are being fetched" },
      });
    });
    await open("transcribe");
    const file = { name: "long.wav", mimeType: "audio/wav", buffer: await recording(70) };
    await page.locator('input[type="file"]').setInputFiles(file);
    await page.getByText("The models are being fetched").waitFor();
    await page.locator("progress[value]").waitFor({ timeout: SOUND_MS });
    await page.getByText(/about \d+:\d\d left/).waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("cancelled").waitFor();
  });

  visits(
    "does not move the page to the spoken word while one scrolls",
    async ({ page, open }) => {
      await open("speak");
      await page.getByLabel("Text").fill(LONG_TEXT);
      await page.getByRole("button", { name: "Speak", exact: true }).click();
      await page.locator(".word.now").first().waitFor({ timeout: SOUND_MS });
      await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
      const place = await page.evaluate("scrollY");
      const first = await page.locator(".word.now").first().textContent();
      await until(
        async () => {
          const [word] = await page.locator(".word.now").allTextContents();
          return word !== undefined && word !== first;
        },
        { timeoutMs: SOUND_MS },
      );
      await sleep(500);
      const height = Number(await page.evaluate("document.documentElement.scrollHeight - innerHeight"));
      assert.equal(Number(await page.evaluate("scrollY")), Math.min(Number(place), height));
      await page.getByRole("button", { name: "Stop", exact: true }).click();
    },
    { browser: { viewport: { width: 390, height: 800 } } },
  );

  visits("shows no player after a refusal, and a stopped request is no failed trace", async ({ page, open }) => {
    await open("speak");
    await page.route("**/v1/tts/**", (route) =>
      route.fulfill({ status: 402, json: { status: 402, message: "No credits are left" } }),
    );
    await page.getByRole("button", { name: "Speak", exact: true }).click();
    await page.getByRole("alert").getByText("No credits are left").waitFor();
    assert.equal(await page.getByRole("region", { name: "Speech" }).count(), 0);
    assert.equal(await page.getByRole("button", { name: /^Download/ }).count(), 0);
    await page.unrouteAll();
    await page.getByLabel("Text").fill(LONG_TEXT);
    await page.getByRole("button", { name: "Speak", exact: true }).click();
    await page.getByRole("region", { name: "Speech" }).waitFor({ timeout: SOUND_MS });
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await open("traces");
    await page.getByText("stopped by the client").waitFor();
    await page.getByLabel("Status").selectOption("error");
    await page.getByText("No matching requests").waitFor();
  });

  visits(
    "keeps punctuation and paragraphs, unlights the last word, scrubs by dragging, and downloads without a charge",
    async ({ page, open, played, client }) => {
      const text = "Hello, there!\n\nA new paragraph.";
      await open("speak");
      await page.getByLabel("Text").fill(text);
      await page.getByRole("button", { name: "Speak", exact: true }).click();
      await played();
      assert.equal(await page.locator(".spoken").textContent(), text);
      assert.equal(await page.locator(".word.now").count(), 0);
      const before = (await client.wallet.package()).balance;
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: /^Download/ }).click(),
      ]);
      assert.match(download.suggestedFilename(), /^speech\./);
      assert.equal((await client.wallet.package()).balance, before);
      const box = (await page.getByRole("slider", { name: "Playback position" }).boundingBox()) ?? assert.fail();
      await page.mouse.move(box.x + box.width * 0.8, box.y + 10);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width * 0.2, box.y + 10, { steps: 4 });
      await page.mouse.up();
      const slider = page.getByRole("slider", { name: "Playback position" });
      const share =
        Number(await slider.getAttribute("aria-valuenow")) / Number(await slider.getAttribute("aria-valuemax"));
      assert.ok(share > 0.1 && share < 0.3, `the position is at ${share}`);
    },
  );

  visits("offers only voices that the chosen model can speak with", async ({ page, open }) => {
    await open("speak");
    await page.getByRole("button", { name: "Choose the voice" }).click();
    await page.getByRole("dialog").getByLabel("Search").fill("heart");
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /^Heart/ })
      .click();
    await page.getByTestId("voice").getByText("Heart").waitFor();
    await page.getByLabel("Model").selectOption("piper");
    await page.getByTestId("voice").getByText("Default voice").waitFor();
    await page.getByRole("button", { name: "Choose the voice" }).click();
    await page.getByRole("dialog").getByLabel("Search").fill("heart");
    await page.getByText("No matching voices").waitFor();
  });

  visits("keeps the focus when the live socket opens and ends", async ({ page, open }) => {
    await open("live");
    await page.getByRole("button", { name: "Open the socket" }).click();
    await until(async () => (await page.evaluate("document.activeElement.tagName")) === "TEXTAREA");
    await page.getByRole("button", { name: "Cancel" }).click();
    await until(async () => (await page.evaluate("document.activeElement.textContent")) === "Open the socket");
  });

  visits("adds up the recordings of a new voice before it calls them short", async ({ page, open }) => {
    await open("voices");
    await page.getByRole("button", { name: "Clone a voice" }).click();
    const dialog = page.getByRole("dialog");
    const short = { mimeType: "audio/wav", buffer: await recording(4) };
    const input = dialog.locator('input[type="file"]');
    await input.setInputFiles([{ name: "a.wav", ...short }]);
    await dialog.getByText("recordings are short").waitFor();
    await input.setInputFiles([
      { name: "b.wav", ...short },
      { name: "c.wav", ...short },
    ]);
    await dialog.getByText("c.wav").waitFor();
    await dialog.getByText("recordings are short").waitFor({ state: "detached" });
  });

  visits(
    "asks before a plan changes",
    async ({ page, open, account }) => {
      await open("admin");
      await page.getByLabel("Search").fill(account.email ?? "");
      const plan = page.getByLabel(`Plan of ${account.email}`);
      await plan.selectOption("free");
      await page.getByRole("dialog").getByText("From pro to free").waitFor();
      await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
      assert.equal(await plan.inputValue(), "pro");
      await plan.selectOption("free");
      await page.getByRole("dialog").getByRole("button", { name: "Change" }).click();
      await page.getByText("Changed").waitFor();
      // The list is loaded again after that.
      await until(async () => (await plan.inputValue()) === "free", { what: "the list shows the new plan" });
    },
    { role: "admin" },
  );

  visits("has no transitions with reduced motion", async ({ page, open }) => {
    await open("speak");
    const moving = await page.evaluate(
      "[...document.querySelectorAll('*')].filter((each) => !/^0s(, 0s)*$/.test(getComputedStyle(each).transitionDuration)).length",
    );
    assert.equal(moving, 0);
  });
}

/** A WAV file of this length: the test recording, repeated. */
async function recording(seconds: number): Promise<Buffer> {
  const models = await testModels("test-speech");
  const wav = await readFile(models.path("test-speech", "jfk.wav"));
  const samples = wav.subarray(wav.indexOf("data") + 8);
  const bytes = seconds * BYTES_PER_SECOND;
  const repeated = Buffer.concat(Array.from({ length: Math.ceil(bytes / samples.length) + 1 }, () => samples));
  const header = Buffer.from(wav.subarray(0, 36));
  const length = Buffer.alloc(8);
  length.write("data");
  length.writeUInt32LE(bytes, 4);
  header.writeUInt32LE(bytes + 36, 4);
  return Buffer.concat([header, length, repeated.subarray(0, bytes)]);
}

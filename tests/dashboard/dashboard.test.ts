import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { signInLink } from "@parlance/protocol";
import type { Browser, Page } from "playwright-core";
import { testModels } from "../../packages/speech/src/testing/models.ts";
import { startVoiceServer, type VoiceServer } from "../clients/voice-server.ts";
import { seriousFaults } from "./accessibility.ts";
import { browserMissing, CAPTURE_AUDIO, type Faults, launchBrowser, outputPeak, watch } from "./browser.ts";

const PAGES = ["speak", "live", "transcribe", "voices", "keys", "wallet", "traces", "account", "admin"];
const HOSTILE = '"><img src=x onerror="document.title=1"><script>document.title=2</script>';
/** The engines share the cores with the browser, so audio may take long on a small machine. */
const SOUND_MS = 180_000;
/** The folder for screenshots of the pages; undefined: none. */
const screenshots = process.env.PARLANCE_TEST_SCREENSHOTS;

describe("the dashboard", { timeout: 1_800_000, skip: browserMissing }, () => {
  let server: VoiceServer;
  let browser: Browser;
  let page: Page;
  let faults: Faults;
  let secret = "";
  let traceId = "";

  before(async () => {
    execFileSync("npm", ["run", "--silent", "build", "-w", "@parlance/dashboard"], { stdio: "inherit" });
    server = await startVoiceServer({ engines: ["kokoro", "piper"] });
    browser = await launchBrowser();
    const context = await browser.newContext({
      colorScheme: "light",
      reducedMotion: "reduce",
      viewport: { width: 1280, height: 860 },
    });
    faults = watch(context, server.url);
    await context.addInitScript({ content: CAPTURE_AUDIO });
    context.setDefaultTimeout(SOUND_MS);
    page = await context.newPage();
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  const open = async (name: string): Promise<void> => {
    await page.goto(`${server.url}/#/${name}`);
    await page.getByRole("main").getByRole("heading", { level: 1 }).waitFor();
  };

  /** The name of each page, and its address. */
  const pages = (): readonly (readonly [string, string])[] => [
    ...PAGES.map((name) => [name, name] as const),
    ["trace", `traces/${traceId}`],
  ];

  const screenshot = async (name: string): Promise<void> => {
    if (!screenshots) return;
    mkdirSync(screenshots, { recursive: true });
    await page.screenshot({ path: join(screenshots, `${name}.png`) });
  };

  it("requires a sign-in, and signs the first admin in with the one-time link", async (context) => {
    const asked = performance.now();
    await page.goto(server.url);
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    context.diagnostic(`the first page can be used after ${Math.round(performance.now() - asked)} ms`);
    assert.deepEqual(await seriousFaults(page), []);
    assert.ok(server.signInToken, "the first start gives a token");
    await page.goto(signInLink(server.url, server.signInToken));
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Speak", level: 1 }).waitFor();
    assert.ok(!page.url().includes(server.signInToken), "the used token does not stay in the address");
  });

  it("lets the admin set a password, sign out, and sign in with it", async () => {
    await open("account");
    await page.getByLabel("E-mail").fill("ada@example.org");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved").waitFor();
    await page.getByLabel("New password").fill("correct horse battery");
    await page.getByRole("button", { name: "Set the password" }).click();
    await page.getByText("The password is changed").waitFor();
    await page.getByRole("button", { name: /^Sign out ada/ }).click();
    await page.getByLabel("E-mail").fill("ada@example.org");
    await page.getByLabel("Password").fill("wrong horse");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").waitFor();
    await page.getByLabel("Password").fill("correct horse battery");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("navigation", { name: "Pages" }).waitFor();
  });

  it("creates a key that works with curl, and shows its secret once", async () => {
    await open("keys");
    await page.getByRole("button", { name: "Create a key" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill(HOSTILE);
    await page.getByRole("button", { name: "Create", exact: true }).click();
    secret = (await page.getByRole("region", { name: "The new key" }).locator("code").textContent()) ?? "";
    await page.getByRole("button", { name: "I have copied it" }).click();
    await page.getByRole("cell", { name: HOSTILE, exact: true }).waitFor();
    assert.equal(await page.getByText(secret).count(), 0);
    assert.equal(await speakWithCurl(server.url, secret), "200");
  });

  it("plays audio while it arrives, and highlights the current word", async () => {
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
    await screenshot("dashboard");
    await page.locator('[aria-label="Speech"][data-state="ended"]').waitFor();
  });

  it("keeps the typed text over a reload, and saves the audio as a file", async () => {
    await page.reload();
    assert.match(await page.getByLabel("Text").inputValue(), /^One two three/);
    await page.getByLabel("Text").fill("A short one.");
    await page.getByRole("button", { name: "Speak", exact: true }).click();
    const button = page.getByRole("button", { name: "Download mp3" });
    await page.locator('[aria-label="Speech"][data-state="ended"]').waitFor();
    const [download] = await Promise.all([page.waitForEvent("download"), button.click()]);
    assert.equal(download.suggestedFilename(), "speech.mp3");
  });

  it("links speech to its trace, which shows every step", async () => {
    await page.getByRole("main").getByRole("link", { name: "Trace", exact: true }).click();
    await page.getByRole("heading", { name: "Trace", level: 1 }).waitFor();
    traceId = /#\/traces\/([0-9a-f]{32})$/.exec(page.url())?.[1] ?? "";
    assert.notEqual(traceId, "", page.url());
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
    await screenshot("trace");
    await page.keyboard.press("Enter");
    await details.waitFor({ state: "detached" });
  });

  it("lists recent requests, filters them, and opens one by its id", async () => {
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
    // Requests with the key belong to its owner too.
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
  });

  it("speaks the text of a simulated language model live", async () => {
    await open("live");
    await page.getByRole("button", { name: "Simulated language model" }).click();
    await page.getByLabel("Text to stream").fill("Hello there. I am being written while I speak.");
    await page.getByRole("button", { name: "Start the stream" }).click();
    await page.locator('[aria-label="Speech"][data-state="ended"]').waitFor();
    const words = await page.locator(".word").allTextContents();
    assert.match(words.join(" "), /Hello there.* written while I speak/);
    // Browsers do not expose the headers of a socket: the link opens the list.
    await page.getByRole("main").getByRole("link", { name: "Traces" }).click();
    const rows = page.getByRole("region", { name: "Recent requests" }).locator("tbody tr");
    await rows.first().waitFor();
    assert.ok(page.url().endsWith("#/traces?operation=live"), page.url());
  });

  it("transcribes a file, and a click on a word seeks to it", async () => {
    const models = await testModels("test-speech");
    await open("transcribe");
    await page.locator('input[type="file"]').setInputFiles(models.path("test-speech", "jfk.wav"));
    await page.getByRole("region", { name: "Transcript" }).waitFor();
    const words = (await page.locator(".word").allTextContents()).join(" ");
    assert.match(words, /ask not what your country can do for you/i);
    await page.locator(".word").nth(5).click();
    await page.locator(".word.now").first().waitFor();
    for (const kind of ["txt", "srt", "vtt", "json"]) {
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: kind, exact: true }).click(),
      ]);
      assert.equal(download.suggestedFilename(), `jfk.${kind}`);
    }
    const link = page.getByRole("main").getByRole("link", { name: "Trace", exact: true });
    assert.match((await link.getAttribute("href")) ?? "", /^#\/traces\/[0-9a-f]{32}$/);
    const [opened] = await Promise.all([page.context().waitForEvent("page"), link.click({ modifiers: ["Control"] })]);
    for (const name of ["decode", "vad", "transcription"]) {
      await opened.getByRole("rowheader", { name }).first().waitFor();
    }
    await opened.close();
  });

  it("records the microphone, and finds no speech in its beeps", async () => {
    await page.getByRole("button", { name: "Record" }).click();
    // By the clock of the recorder, which starts with the microphone.
    await page.getByRole("button", { name: /^Stop and transcribe \(0:(0[3-9]|[1-5]\d)\)/ }).waitFor();
    await page.getByRole("button", { name: /^Stop and transcribe/ }).click();
    await page.getByText("No speech was found in this recording.").waitFor();
  });

  it("creates a voice from a file, and speaks with it", async () => {
    await open("voices");
    await page.getByRole("button", { name: "Clone a voice" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Title").fill(HOSTILE);
    await dialog.getByLabel("Tags").fill("<b>bold</b>, reader");
    const file = { name: "<i>reader</i>.wav", mimeType: "audio/wav", buffer: await server.clip("0870") };
    await dialog.locator('input[type="file"]').setInputFiles(file);
    await dialog.getByText("<i>reader</i>.wav").waitFor();
    await dialog.getByLabel("The speaker agreed").check();
    await dialog.getByRole("button", { name: "Create the voice" }).click();
    const card = page.getByRole("listitem").filter({ hasText: "onerror" });
    await card.getByText("<b>bold</b>").waitFor();
    await card.getByRole("button", { name: "Speak", exact: true }).click();
    await page.getByLabel("Text").fill("This is my own voice now.");
    await page.getByRole("button", { name: "Speak", exact: true }).click();
    await page.locator('[aria-label="Speech"][data-state="ended"]').waitFor();
    assert.equal(await page.locator("select >> nth=0").locator("option:checked").textContent(), HOSTILE);
    assert.match((await page.locator(".word").allTextContents()).join(" "), /^This is my own voice now/);
  });

  it("shows usage and the ledger", async () => {
    await open("wallet");
    await page.getByRole("img", { name: /^Credits by day/ }).waitFor();
    await page.getByRole("cell", { name: "Reserved" }).first().waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "CSV" }).click(),
    ]);
    assert.match(download.suggestedFilename(), /\.csv$/);
  });

  it("lets an admin create a user, grant credits, and disable the user", async () => {
    await open("admin");
    await page.getByRole("button", { name: "Create a user" }).click();
    await page.getByRole("dialog").getByLabel("E-mail").fill("grace@example.org");
    await page.getByRole("button", { name: "Create", exact: true }).click();
    await page.getByRole("region", { name: "The sign-in link" }).waitFor();
    await page.getByRole("button", { name: "Done" }).click();
    const row = page.getByRole("row").filter({ hasText: "grace@example.org" });
    await row.getByRole("button", { name: "Grant" }).click();
    await page.getByRole("spinbutton", { name: "Credits" }).fill("1234");
    await page.getByRole("dialog").getByRole("button", { name: "Grant" }).click();
    await page.getByText("1,234 extra credits now").waitFor();
    await row.getByRole("button", { name: "Disable" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Disable" }).click();
    await row.getByText("disabled").waitFor();
    await page.getByRole("button", { name: "System", exact: true }).click();
    await page.getByText("PARLANCE_PORT").waitFor();
  });

  it("revokes the key, which is then refused", async () => {
    await open("keys");
    const row = page.getByRole("row").filter({ hasText: "onerror" });
    await row.getByRole("button", { name: /^Revoke/ }).click();
    await page.getByRole("button", { name: "Revoke the key" }).click();
    await row.getByText("revoked").waitFor();
    assert.equal(await speakWithCurl(server.url, secret), "401");
  });

  for (const theme of ["light", "dark"] as const) {
    it(`has no serious accessibility fault on any page in ${theme}`, async () => {
      await page.emulateMedia({ colorScheme: theme });
      for (const [name, route] of pages()) {
        await open(route);
        await page.waitForLoadState("networkidle");
        assert.deepEqual(await seriousFaults(page), [], `${name} in ${theme}`);
        await screenshot(`${name}-${theme}`);
      }
    });
  }

  it("fits on a phone", async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    for (const [name, route] of pages()) {
      await open(route);
      await page.waitForLoadState("networkidle");
      const wider = Number(await page.evaluate("document.documentElement.scrollWidth - innerWidth"));
      assert.ok(wider <= 0, `${name} is ${wider} pixels too wide`);
      await screenshot(`${name}-phone`);
    }
  });

  it("ran no typed text as a script, and sent no request to other machines", async () => {
    assert.deepEqual(faults.list, []);
    assert.match(await page.title(), /Parlance$/);
  });
});

async function speakWithCurl(url: string, key: string): Promise<string> {
  const { stdout } = await promisify(execFile)("curl", [
    ...["-s", "-m", String(SOUND_MS / 1000), "-o", "/dev/null", "-w", "%{http_code}", `${url}/v1/tts`],
    ...["-H", `Authorization: Bearer ${key}`, "-H", "model: s2-pro", "-H", "Content-Type: application/json"],
    ...["-d", JSON.stringify({ text: "Hello." })],
  ]);
  return stdout;
}

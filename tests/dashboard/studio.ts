import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { it, type TestContext } from "node:test";
import { Parlance } from "@parlance/client";
import type { AccountRecord } from "@parlance/protocol";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { type ScriptedModel, startScriptedModel } from "../../packages/server/src/testing/scripted-model.ts";
import { startVoiceServer, type VoiceServer } from "../clients/voice-server.ts";
import { CAPTURE_AUDIO, type Faults, launchBrowser, watch } from "./browser.ts";

/** Where only the page and the server work. */
const PAGE_MS = 45_000;
/** Where speech or a transcript is awaited: the engines share the cores with the browser. */
export const SOUND_MS = 120_000;
export const TEST_MS = 240_000;
export const HOSTILE = '"><img src=x onerror="document.title=1"><script>document.title=2</script>';

/** The folder for screenshots of the pages; undefined: none. */
const screenshots = process.env.PARLANCE_TEST_SCREENSHOTS;

/** One server and one browser for all suites. */
export interface Studio {
  readonly server: VoiceServer;
  /** The language model of conversations. */
  readonly model: ScriptedModel;
  readonly browser: Browser;
  /** The client of the first admin. */
  readonly admin: Parlance;
}

/** A browser of its own, signed in with an account of its own. */
export interface Visit {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly account: AccountRecord;
  /** The client of the account, with an API key. */
  readonly client: Parlance;
  readonly faults: Faults;
  /** Opens a page by its route, and waits for its heading. */
  open(route: string): Promise<void>;
  /** Waits until the speech of the page has been played. */
  played(): Promise<void>;
}

export interface VisitOptions {
  readonly role?: "admin" | "member";
  readonly browser?: BrowserContextOptions;
  /** Whether errors of scripts are part of the test. */
  readonly faults?: "allowed";
}

/** It takes longer to say than the question of the talking microphone to come again. */
export const LONG_ANSWER = "It is late in the evening, and the shops are closed by now. ".repeat(12);

let running: Studio | undefined;
let accounts = 0;

/** The server and the browser, once the hook has started them. */
export function studio(): Studio {
  assert.ok(running, "the server and the browser are not started");
  return running;
}

export async function startStudio(): Promise<void> {
  execFileSync("npm", ["run", "--silent", "build", "-w", "@parlance/dashboard"], { stdio: "inherit" });
  const model = await startScriptedModel(() => [{ text: LONG_ANSWER }]);
  const server = await startVoiceServer({ engines: ["kokoro", "piper"], settings: { llmUrl: model.url } });
  const admin = new Parlance({ baseUrl: server.url, apiKey: server.key });
  running = { server, admin, model, browser: await launchBrowser() };
}

export async function stopStudio(): Promise<void> {
  await running?.browser.close();
  await running?.server.close();
  await running?.model.close();
}

/** A test with a fresh account in a fresh browser context. It fails when a script of the page does. */
export function visits(
  name: string,
  body: (visit: Visit, test: TestContext) => Promise<void>,
  options: VisitOptions = {},
): void {
  it(name, { timeout: TEST_MS }, async (test) => {
    const { context, faults } = await openContext(options.browser);
    test.after(() => context.close());
    const { page, ...visit } = await signedIn(context, options.role ?? "member");
    await body({ page, faults, ...visit }, test);
    if (options.faults !== "allowed") assert.deepEqual(faults.list, []);
    assert.match(await page.title(), /Parlance$/, "no typed text ran as a script");
  });
}

export async function openContext(
  options: BrowserContextOptions = {},
  browser = studio().browser,
): Promise<{ readonly context: BrowserContext; readonly faults: Faults }> {
  const { server } = studio();
  const context = await browser.newContext({
    colorScheme: "light",
    reducedMotion: "reduce",
    viewport: { width: 1280, height: 860 },
    ...options,
  });
  const faults = watch(context, server.url);
  await context.addInitScript({ content: CAPTURE_AUDIO });
  context.setDefaultTimeout(PAGE_MS);
  return { context, faults };
}

/** Signs in with a new account. */
export async function signedIn(context: BrowserContext, role: "admin" | "member"): Promise<Omit<Visit, "faults">> {
  const { server, admin } = studio();
  accounts += 1;
  const created = await admin.admin.users.create({ email: `visitor-${accounts}@example.org`, role, plan: "pro" });
  const token = new URL(created.sign_in_link?.url ?? "").hash.slice(1);
  const signIn = await context.request.post(`${server.url}/account/sign-in-link`, { data: { token } });
  assert.equal(signIn.status(), 200, await signIn.text());
  const origin = { origin: server.url };
  const key = await context.request.post(`${server.url}/account/keys`, { data: { name: "test" }, headers: origin });
  const { secret } = (await key.json()) as { readonly secret: string };
  const page = await context.newPage();
  return {
    context,
    page,
    account: created,
    client: new Parlance({ baseUrl: server.url, apiKey: secret }),
    async open(route) {
      await page.goto(`${server.url}/#/${route}`);
      await page.getByRole("main").getByRole("heading", { level: 1 }).waitFor();
    },
    async played() {
      await page.locator('[aria-label="Speech"][data-state="ended"]').waitFor({ timeout: SOUND_MS });
    },
  };
}

export async function screenshot(page: Page, name: string): Promise<void> {
  if (!screenshots) return;
  mkdirSync(screenshots, { recursive: true });
  await page.screenshot({ path: join(screenshots, `${name}.png`) });
}

/** Speaks a text to its end, and returns the id of its trace, which is complete then. */
export async function speakTraced(client: Parlance, text: string): Promise<string> {
  const speech = await client.tts.stream({ text });
  let bytes = 0;
  for await (const piece of speech) bytes += piece.length;
  assert.ok(bytes > 0);
  return speech.traceId ?? assert.fail("the response names no trace");
}

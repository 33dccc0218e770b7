import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { Parlance } from "../packages/client/src/index.ts";
import { startVoiceServer, type VoiceServer } from "../tests/clients/voice-server.ts";
import { launchBrowser } from "../tests/dashboard/browser.ts";
import { until } from "../tests/support/until.ts";

/**
 * Makes the pictures of the documentation: `npm run docs:images`. With `--all FOLDER` it makes pictures of every page in
 * light, dark and on a phone instead, to look at.
 */
const FOLDER = "docs/images/dashboard";
const WIDE = { width: 1280, height: 860 };
const PHONE = { width: 390, height: 800 };
const LOOKS = {
  light: { colorScheme: "light", viewport: WIDE },
  dark: { colorScheme: "dark", viewport: WIDE },
  phone: { colorScheme: "light", viewport: PHONE },
  "phone-dark": { colorScheme: "dark", viewport: PHONE },
} as const;
type Look = keyof typeof LOOKS;

/** Those that the documentation shows. */
const USED: readonly (readonly [page: string, look: Look])[] = [
  ["start", "light"],
  ["speak", "light"],
  ["speak", "dark"],
  ["speak", "phone"],
  ["project", "light"],
  ["project", "phone-dark"],
  ["keys", "light"],
  ["api", "dark"],
  ["trace", "light"],
];
const STORY =
  "# The lighthouse\n\nThe lamp had burned every night for eighty years, and nobody in the village had ever thought of it as " +
  "a thing that could go out.\n\n“It is only a storm,” said Ann.\n\n“It is the storm,” said the keeper, and climbed the stairs " +
  "for the third time that night.\n\n# The morning\n\nThey found the boat at dawn.";
const SPOKEN =
  "Parlance starts to speak before the whole text is synthesized. Each word is highlighted while it is spoken. Click one to " +
  "hear it again, or drag across the waveform.";

const { values } = parseArgs({ options: { all: { type: "string" } } });
execFileSync("npm", ["run", "--silent", "build", "-w", "@parlance/dashboard"], { stdio: "inherit" });
const folder = values.all ?? FOLDER;
mkdirSync(folder, { recursive: true });
const server = await startVoiceServer({ engines: ["kokoro", "piper"] });
const browser = await launchBrowser();
try {
  const { state, pages } = await prepare(browser, server);
  const everything = Object.keys(pages).flatMap((page) =>
    (["light", "dark", "phone"] as const).map((look) => [page, look] as const),
  );
  for (const [name, look] of values.all === undefined ? USED : everything) {
    const { context, page } = await signedIn(browser, state, LOOKS[look]);
    await open(page, pages[name] ?? name);
    if (name === "speak") await speak(page);
    if (name !== "api") await page.evaluate("scrollTo(0, 0)");
    await save(page, join(folder, `${name}-${look}`));
    await context.close();
  }
} finally {
  await browser.close();
  await server.close();
}

/** A PNG to look at, or a WebP for the repository, which is a quarter of the size. */
async function save(page: Page, path: string): Promise<void> {
  const png = await page.screenshot();
  if (values.all !== undefined) {
    writeFileSync(`${path}.png`, png);
    return;
  }
  const { width, height } = page.viewportSize() ?? WIDE;
  // The content security policy of the dashboard allows no images from data.
  const blank = await page.context().newPage();
  const encoded = await blank.evaluate(`(async () => {
    const image = Object.assign(new Image(), { src: "data:image/png;base64,${png.toString("base64")}" });
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: ${width}, height: ${height} });
    canvas.getContext("2d").drawImage(image, 0, 0);
    return canvas.toDataURL("image/webp", 0.85);
  })()`);
  writeFileSync(`${path}.webp`, Buffer.from(String(encoded).split(",")[1] ?? "", "base64"));
}

type State = Awaited<ReturnType<BrowserContext["storageState"]>>;

async function signedIn(browser: Browser, storageState: State, look: BrowserContextOptions) {
  const context = await browser.newContext({ ...look, storageState, reducedMotion: "reduce" });
  context.setDefaultTimeout(120_000);
  return { context, page: await context.newPage() };
}

async function open(page: Page, route: string): Promise<void> {
  await page.goto(`${server.url}/#/${route}`);
  await page.getByRole("main").getByRole("heading", { level: 1 }).waitFor();
  await page.waitForLoadState("networkidle");
}

/** Stops in the middle, so that a word is highlighted and all of it is there. */
async function speak(page: Page): Promise<void> {
  await page.getByLabel("Text").fill(SPOKEN);
  await page.getByRole("button", { name: "Speak", exact: true }).click();
  await page.getByRole("link", { name: "Trace", exact: true }).waitFor();
  const pause = page.getByRole("button", { name: "Pause", exact: true }).last();
  if (await pause.isVisible()) await pause.click();
  await page.getByRole("slider", { name: "Playback position" }).click({ position: { x: 200, y: 20 } });
}

/** What is read of the responses. */
interface Answer {
  readonly _id?: string;
  readonly job?: string;
  readonly items?: readonly { readonly _id?: string; readonly trace_id?: string }[];
  readonly chapters?: readonly {
    readonly title: string;
    readonly paragraphs: readonly { readonly text: string }[];
  }[];
}

/** An account with keys, a project, speech and a transcript. Returns the addresses of pages that show one of them. */
async function prepare(browser: Browser, server: VoiceServer) {
  const admin = new Parlance({ baseUrl: server.url, apiKey: server.key });
  const { sign_in_link } = await admin.admin.users.create({ email: "ada@example.org", plan: "pro", role: "admin" });
  const token = new URL(sign_in_link?.url ?? "").hash.slice(1);
  const context = await browser.newContext();
  await context.request.post(`${server.url}/account/sign-in-link`, { data: { token } });
  const headers = { origin: server.url };
  for (const data of [
    { name: "kiosk", scopes: ["speak"], limits: { requests_per_minute: 60, credits_per_day: 20_000 } },
    { name: "call centre", scopes: ["speak", "listen"], limits: { concurrency: 4 } },
    { name: "laptop" },
  ]) {
    await context.request.post(`${server.url}/account/keys`, { data, headers });
  }
  // With the session, as the dashboard does it.
  const ask = async (method: string, path: string, data?: object): Promise<Answer> => {
    const response = await context.request.fetch(`${server.url}${path}`, {
      method,
      headers: { ...headers, model: "s2-pro" },
      ...(data && { data }),
    });
    if (!response.ok()) throw new Error(`${method} ${path}: ${response.status()} ${await response.text()}`);
    return /json/.test(response.headers()["content-type"] ?? "") ? ((await response.json()) as Answer) : {};
  };
  await ask("POST", "/v1/tts", { text: SPOKEN, format: "mp3" });
  const speakers = { Ann: "af_heart", Keeper: "bm_george" };
  const project = await ask("POST", "/projects", { title: "The lighthouse", text: STORY, voice: "bf_emma", speakers });
  const at = `/projects/${project._id}`;
  const chapters = project.chapters?.map(({ title, paragraphs }) => ({
    title,
    paragraphs: paragraphs.map(({ text }) => ({ text, speaker: /said Ann/.test(text) ? "Ann" : "" })),
  }));
  await ask("PATCH", at, { chapters });
  await ask("POST", `${at}/speak`, {});
  await until(async () => (await ask("GET", at)).job === "idle", { what: "a spoken project", timeoutMs: 120_000 });
  const [entry] = (await ask("GET", "/account/history")).items ?? [];
  const [request] = (await ask("GET", "/account/traces")).items ?? [];
  const state = await context.storageState();
  await context.close();
  const pages: Readonly<Record<string, string>> = {
    ...Object.fromEntries(
      ["start", "speak", "live", "talk", "transcribe", "projects", "history", "voices", "keys", "wallet"].map(
        (page) => [page, page],
      ),
    ),
    ...{ api: "api/getAccount", traces: "traces", account: "account", admin: "admin" },
    ...{ project: `projects/${project._id}`, entry: `history/${entry?._id}`, trace: `traces/${request?.trace_id}` },
  };
  return { state, pages };
}

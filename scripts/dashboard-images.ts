import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Browser, type BrowserContext, chromium } from "playwright-core";
import { Parlance } from "../packages/client/src/index.ts";
import { startTestServer, TEST_KEY, type TestServer } from "../packages/server/src/testing/test-server.ts";

/**
 * Makes the pictures of docs/dashboard.md: `npm run docs:images`. The server has an engine that makes tones, so no models
 * are needed and the pictures differ only where the dashboard does.
 */
const FOLDER = "docs/images/dashboard";
const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 800 };
const PICTURES = [
  { page: "start", name: "start-light", scheme: "light", size: WIDE },
  { page: "speak", name: "speak-dark", scheme: "dark", size: WIDE },
  { page: "speak", name: "speak-phone", scheme: "light", size: PHONE },
  { page: "keys", name: "keys-light", scheme: "light", size: WIDE },
  { page: "api/getAccount", name: "api-dark", scheme: "dark", size: WIDE },
  { page: "api", name: "api-phone", scheme: "dark", size: PHONE },
] as const;

execFileSync("npm", ["run", "--silent", "build", "-w", "@parlance/dashboard"], { stdio: "inherit" });
mkdirSync(FOLDER, { recursive: true });
const server = await startTestServer({ parts: { dashboard: "packages/dashboard/dist" } });
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
try {
  const state = await signIn(browser, server);
  for (const { page: route, name, scheme, size } of PICTURES) {
    const context = await browser.newContext({
      storageState: state,
      colorScheme: scheme,
      viewport: size,
      reducedMotion: "reduce",
    });
    const page = await context.newPage();
    await page.goto(`${server.url}/#/${route}`);
    await page.getByRole("main").getByRole("heading", { level: 1 }).waitFor();
    await page.waitForLoadState("networkidle");
    await page.screenshot({ path: join(FOLDER, `${name}.png`) });
    await context.close();
  }
} finally {
  await browser.close();
  await server.close();
}

/** The cookies of an account that has a few keys. */
async function signIn(
  browser: Browser,
  server: TestServer,
): Promise<Awaited<ReturnType<BrowserContext["storageState"]>>> {
  const admin = new Parlance({ baseUrl: server.url, apiKey: TEST_KEY });
  const { sign_in_link } = await admin.admin.users.create({ email: "ada@example.org", plan: "pro" });
  const token = new URL(sign_in_link?.url ?? "").hash.slice(1);
  const context = await browser.newContext();
  await context.request.post(`${server.url}/account/sign-in-link`, { data: { token } });
  for (const data of [
    { name: "kiosk", scopes: ["speak"], limits: { requests_per_minute: 60, credits_per_day: 20_000 } },
    { name: "call centre", scopes: ["speak", "listen"], limits: { concurrency: 4 } },
    { name: "laptop" },
  ]) {
    await context.request.post(`${server.url}/account/keys`, { data, headers: { origin: server.url } });
  }
  const state = await context.storageState();
  await context.close();
  return state;
}

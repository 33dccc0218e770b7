import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { it } from "node:test";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { OIDC_CALLBACK_PATH, signInLink } from "@parlance/protocol";
import { startOidcProvider } from "../../../packages/server/src/testing/oidc-provider.ts";
import { startTestServer } from "../../../packages/server/src/testing/test-server.ts";
import { seriousFaults } from "../accessibility.ts";
import { HOSTILE, openContext, SOUND_MS, studio, TEST_MS, visits } from "../studio.ts";

/** Compressed, on the first load. Each page is loaded when it is opened. */
const MAX_SCRIPT_BYTES = 200_000;

/** Sign-in, profile, API keys, wallet. */
export function accountSuite(): void {
  it("requires a sign-in, and signs the first admin in with the one-time link", async (test) => {
    const { server } = studio();
    const { context } = await openContext();
    test.after(() => context.close());
    const page = await context.newPage();
    const scripts: Promise<Buffer>[] = [];
    page.on("response", (response) => {
      if (response.request().resourceType() === "script") scripts.push(response.body());
    });
    const asked = performance.now();
    await page.goto(server.url);
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    test.diagnostic(`the first page can be used after ${Math.round(performance.now() - asked)} ms`);
    const compressed = (await Promise.all(scripts)).reduce((sum, script) => sum + gzipSync(script).length, 0);
    assert.ok(compressed > 0 && compressed <= MAX_SCRIPT_BYTES, `the first load has ${compressed} bytes of script`);
    assert.deepEqual(await seriousFaults(page), []);
    assert.ok(server.signInToken, "the first start gives a token");
    await page.goto(signInLink(server.url, server.signInToken));
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Get started", level: 1 }).waitFor();
    assert.ok(!page.url().includes(server.signInToken), "the used token does not stay in the address");
    // The first admin has no address yet.
    await page.getByLabel("E-mail").fill("admin@example.org");
    await page.getByLabel("New password").fill("correct horse battery");
    await page.getByRole("button", { name: "Set the password" }).click();
    await page.getByText("You sign in with admin@example.org and your password.").waitFor();
  });

  it("offers the sign-in with a provider, and says why it failed", async (test) => {
    const { server } = studio();
    const { context } = await openContext();
    test.after(() => context.close());
    const page = await context.newPage();
    const oidc = { name: "Example", path: "/account/sign-in/oidc" };
    await page.route("**/account/sign-in-options", (route) => route.fulfill({ json: { oidc } }));
    await page.goto(`${server.url}/#/sign-in-failed/oidc_no_account`);
    await page.getByText("There is no account with this e-mail address").waitFor();
    assert.equal(await page.getByRole("link", { name: "Sign in with Example" }).getAttribute("href"), oidc.path);
    assert.deepEqual(await seriousFaults(page), []);
  });

  it("signs in with a provider, and out again", { timeout: TEST_MS }, async (test) => {
    const provider = await startOidcProvider({ sub: "ada", email: "ada@example.org", verified: true });
    test.after(() => provider.close());
    const { issuer: oidcIssuer, clientId: oidcClientId, clientSecret: oidcClientSecret } = provider;
    // Another server than that of the other tests, which has no provider.
    const server = await startTestServer({
      config: { oidcIssuer, oidcClientId, oidcClientSecret, oidcDomains: ["example.org"], oidcAutoCreate: "on" },
      parts: { dashboard: "packages/dashboard/dist" },
    });
    test.after(() => server.close());
    provider.register(server.url + OIDC_CALLBACK_PATH);
    const { context } = await openContext();
    test.after(() => context.close());
    const page = await context.newPage();
    await page.goto(server.url);
    await page.getByRole("link", { name: "Sign in with single sign-on" }).click();
    await page.getByRole("button", { name: "Sign out ada@example.org" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    assert.equal(new URL(page.url()).origin, server.url);
  });

  visits("lets a user set a password, sign out, and sign in with it", async ({ page, open }) => {
    const address = `ada-${Date.now()}@example.org`;
    await open("account");
    await page.getByLabel("E-mail").fill(address);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved").waitFor();
    await page.getByLabel("Words").fill("GIF = jiff\nNguyen = /nwˈɪn/");
    await page.getByRole("button", { name: "Set the pronunciations" }).click();
    await page.getByText("The pronunciations are set").waitFor();
    await page.getByLabel("New password").fill("correct horse battery");
    await page.getByRole("button", { name: "Set the password" }).click();
    await page.getByText("The password is changed").waitFor();
    await page.getByRole("button", { name: /^Sign out ada/ }).click();
    // The account page has a field "E-mail" too, and stays until the server has answered.
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.getByLabel("E-mail").fill(address);
    await page.getByLabel("Password").fill("wrong horse");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").waitFor();
    await page.getByLabel("Password").fill("correct horse battery");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("navigation", { name: "Pages" }).waitFor();
  });

  visits("creates a key that works with curl, shows its secret once, and revokes it", async ({ page, open }) => {
    const { server } = studio();
    await open("keys");
    await page.getByRole("button", { name: "Create a key" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill(HOSTILE);
    await page.getByRole("button", { name: "Create", exact: true }).click();
    const secret = (await page.getByRole("region", { name: "The new key" }).locator("code").textContent()) ?? "";
    await page.getByRole("button", { name: "I have copied it" }).click();
    await page.getByRole("cell", { name: HOSTILE, exact: true }).waitFor();
    assert.equal(await page.getByText(secret).count(), 0);
    assert.equal(await speakWithCurl(server.url, secret), "200");
    const row = page.getByRole("row").filter({ hasText: "onerror" });
    await row.getByRole("button", { name: /^Revoke/ }).click();
    await page.getByRole("button", { name: "Revoke the key" }).click();
    await row.getByText("revoked").waitFor();
    assert.equal(await speakWithCurl(server.url, secret), "401");
  });

  visits("limits a key to scopes and to limits of its own, and changes the limits", async ({ page, open }) => {
    const { server } = studio();
    await open("keys");
    await page.getByRole("button", { name: "Create a key" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("kiosk");
    for (const scope of ["Listen", "Voices", "Account", "Administration"]) {
      await page.getByRole("checkbox", { name: new RegExp(`^${scope}`) }).uncheck();
    }
    await page.getByText("Limits of this key").click();
    await page.getByLabel("Credits in all").fill("3");
    await page.getByRole("button", { name: "Create", exact: true }).click();
    const secret = (await page.getByRole("region", { name: "The new key" }).locator("code").textContent()) ?? "";
    await page.getByRole("button", { name: "I have copied it" }).click();
    const row = page.getByRole("row").filter({ hasText: "kiosk" });
    await row.getByText("0 of 3 credits in all").waitFor();
    await row.getByRole("cell", { name: "speak", exact: true }).waitFor();
    const headers = { authorization: `Bearer ${secret}` };
    const listening = await fetch(`${server.url}/v1/asr`, { method: "POST", headers });
    assert.equal(listening.headers.get("x-error-code"), "scope_missing");
    assert.equal(await speakWithCurl(server.url, secret), "402");
    await row.getByRole("button", { name: "Change kiosk" }).click();
    await page.getByLabel("Credits in all").fill("1000");
    await page.getByLabel("Requests at a time").fill("2");
    await page.getByRole("button", { name: "Save" }).click();
    await row.getByText("2 at a time").waitFor();
    assert.equal(await speakWithCurl(server.url, secret), "200");
  });

  visits("shows usage and the ledger", async ({ page, open, client }) => {
    await client.tts.convert({ text: "Paid." });
    await open("wallet");
    await page.getByRole("img", { name: /^Credits by day/ }).waitFor();
    await page.getByText("Speech costs 1 credit per byte of text, transcription 7 credits per second").waitFor();
    await page.getByRole("cell", { name: "Reserved" }).first().waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "CSV" }).click(),
    ]);
    assert.match(download.suggestedFilename(), /\.csv$/);
  });

  visits("shows the prices of the operator", async ({ page, open }) => {
    await page.route("**/wallet/prices", (route) => route.fulfill({ json: { text_byte: 0.5, transcribed_second: 0 } }));
    await open("speak");
    await page.getByLabel("Text", { exact: true }).fill("Ten bytes.");
    await page.getByText("5 credits", { exact: true }).waitFor();
  });
}

async function speakWithCurl(url: string, key: string): Promise<string> {
  const { stdout } = await promisify(execFile)("curl", [
    ...["-s", "-m", String(SOUND_MS / 1000), "-o", "/dev/null", "-w", "%{http_code}", `${url}/v1/tts`],
    ...["-H", `Authorization: Bearer ${key}`, "-H", "model: s2-pro", "-H", "Content-Type: application/json"],
    ...["-d", JSON.stringify({ text: "Hello." })],
  ]);
  return stdout;
}

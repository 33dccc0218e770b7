import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { seriousFaults } from "../accessibility.ts";
import { SOUND_MS, visits } from "../studio.ts";

/** The first steps, and the API page. */
export function startSuite(): void {
  visits("leads through the first steps, with a command that works as it is", async ({ page, open }, test) => {
    await open("start");
    await page.getByLabel("New password").fill("correct horse battery");
    await page.getByRole("button", { name: "Set the password" }).click();
    await page.getByRole("heading", { name: "Set a password (done)" }).waitFor();
    await page.getByRole("button", { name: /^Make (a|another) key/ }).click();
    const command = page.getByRole("region", { name: "The first call" }).locator("code");
    await command.filter({ hasText: "PARLANCE_API_KEY=pl-" }).waitFor();
    const folder = await mkdtemp(join(tmpdir(), "parlance-start-"));
    test.after(() => rm(folder, { recursive: true, force: true }));
    await promisify(execFile)("bash", ["-c", (await command.textContent()) ?? ""], { cwd: folder, timeout: SOUND_MS });
    assert.ok((await readFile(join(folder, "hello.mp3"))).length > 1000);
    await page.getByRole("heading", { name: "Make the first call (done)" }).waitFor();
    await page.getByRole("button", { name: "Choose the voice" }).click();
    await page.getByRole("dialog").getByRole("button", { name: /^Emma/ }).click();
    await page.getByText("All done.").waitFor();
    assert.deepEqual(await seriousFaults(page), []);
  });

  visits("shows every request with code in three languages, and tries it with the session", async (visit) => {
    const { page, open, account } = visit;
    await open("api");
    await page.getByLabel("Search").fill("/account");
    const operation = page.locator("details.operation").filter({ hasText: "Get the account" });
    await operation.locator("summary").first().click();
    for (const [language, words] of [
      ["curl", "curl --fail-with-body"],
      ["TypeScript", "await fetch("],
      ["Python", "requests.request("],
    ] as const) {
      await operation.getByRole("button", { name: language, exact: true }).click();
      await operation
        .getByRole("region", { name: /^Sample/ })
        .getByText(words)
        .waitFor();
    }
    await operation.getByRole("button", { name: "Try it" }).click();
    await operation
      .getByRole("region", { name: "Response" })
      .getByText(account.email ?? "")
      .waitFor();
    assert.deepEqual(await seriousFaults(page), []);
    await page.getByLabel("Search").fill("/v1/tts");
    const speech = page.locator("details.operation").filter({ hasText: "Text to speech" }).first();
    await speech.locator("summary").first().click();
    assert.equal(await speech.getByLabel("model (header, required)").inputValue(), "s2-pro");
    await speech.getByText("Other parameters").waitFor();
    await speech.getByRole("button", { name: "Try it" }).click();
    await speech.getByRole("region", { name: "Response" }).locator("audio").waitFor({ timeout: SOUND_MS });
    assert.doesNotMatch((await speech.getByRole("region", { name: /^Sample/ }).textContent()) ?? "", /tts\?model=/);
    await page.getByLabel("Search").fill("live");
    const socket = page.locator("details.operation").filter({ hasText: "while the text is being written" });
    await socket.locator("summary").click();
    await socket.getByText('{event: "finish", reason, message?}').waitFor();
    await page.getByLabel("Search").fill("nothing like this");
    await page.getByText("No matching request").waitFor();
  });
}

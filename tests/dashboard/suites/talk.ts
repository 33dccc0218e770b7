import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { startTestServer, TEST_KEY } from "../../../packages/server/src/testing/test-server.ts";
import { burstSamples, wavFile } from "../../../packages/server/src/testing/wav-file.ts";
import { until } from "../../support/until.ts";
import { launchBrowser, outputPeak } from "../browser.ts";
import { LONG_ANSWER, openContext, SOUND_MS, screenshot, signedIn, studio, visits } from "../studio.ts";

const RATE = 48_000;
/** Between two questions of the microphone. The answer has begun by then, and is not over. */
const PAUSE_SECONDS = 12;

export function talkSuite(): void {
  it("holds a conversation: speech in, speech out, and an interruption", { timeout: 3 * SOUND_MS }, async (test) => {
    const { admin, model } = studio();
    const request = { text: "What time is it?", format: "pcm", sample_rate: RATE } as const;
    const question = Buffer.from(await admin.tts.convert(request));
    const silence = Buffer.from(burstSamples(PAUSE_SECONDS, [], RATE).buffer);
    const bytes = Buffer.concat([question, silence]);
    const samples = new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
    const folder = await mkdtemp(join(tmpdir(), "parlance-talk-"));
    test.after(() => rm(folder, { recursive: true, force: true }));
    await writeFile(join(folder, "question.wav"), wavFile(samples, RATE));
    const browser = await launchBrowser(join(folder, "question.wav"));
    test.after(() => browser.close());
    const { context, faults } = await openContext({}, browser);
    const { page, open } = await signedIn(context, "member");

    await open("talk");
    await page.getByRole("button", { name: "Start talking" }).click();
    const transcript = page.getByRole("region", { name: "Transcript" });
    const own = transcript.locator('[data-who="you"]').filter({ hasText: /what time is it/i });
    await own.first().waitFor({ timeout: SOUND_MS });
    await transcript.getByText("It is late in the evening").first().waitFor({ timeout: SOUND_MS });
    await until(async () => (await outputPeak(page)) > 0.01, {
      what: "the answer is played",
      timeoutMs: SOUND_MS,
      everyMs: 50,
    });
    // The question comes again while the answer is spoken.
    const cut = transcript.locator('[data-who="agent"][data-cut="true"]').first();
    await cut.waitFor({ timeout: SOUND_MS });
    for (const stage of ["End of turn", "First word", "First audio"]) {
      assert.match((await cut.locator(".metric").filter({ hasText: stage }).textContent()) ?? "", /\d+ ms/);
    }
    await own.nth(1).waitFor({ timeout: SOUND_MS });
    await screenshot(page, "talk-conversation");
    const secondRequest = () =>
      model.requests.find(({ body }) => body.messages.filter(({ role }) => role === "user").length === 2);
    await until(() => secondRequest() !== undefined);
    await page.getByRole("button", { name: "End the conversation" }).click();
    await page.getByRole("button", { name: "Start talking" }).waitFor();

    const played = secondRequest()?.body.messages.find(({ role }) => role === "assistant")?.content ?? "";
    assert.ok(LONG_ANSWER.startsWith(played) && played.length < LONG_ANSWER.trim().length, played);
    assert.deepEqual(faults.list, []);
  });

  visits("names the setting where there is no language model", async ({ page, open, faults }, test) => {
    const other = await startTestServer();
    test.after(() => other.close());
    await page.route("**/v1/realtime", async (route) => {
      const headers = { authorization: `Bearer ${TEST_KEY}` };
      await route.fulfill({ response: await route.fetch({ url: `${other.url}/v1/realtime`, headers }) });
    });
    await open("talk");
    await page.getByText("PARLANCE_LLM_URL").waitFor();
    assert.equal(await page.getByRole("button", { name: "Start talking" }).count(), 0);
    assert.deepEqual(faults.refused, []);
  });
}

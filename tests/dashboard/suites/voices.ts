import assert from "node:assert/strict";
import { seriousFaults } from "../accessibility.ts";
import { HOSTILE, SOUND_MS, screenshot, studio, visits } from "../studio.ts";

export function voicesSuite(): void {
  visits("creates a voice from a file, and speaks with it", async ({ page, open, played, client }) => {
    await open("voices");
    await page.getByRole("button", { name: "Clone a voice" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Title").fill(HOSTILE);
    await dialog.getByLabel("Tags").fill("<b>bold</b>, reader");
    const file = { name: "<i>reader</i>.wav", mimeType: "audio/wav", buffer: await studio().server.clip("0870") };
    await dialog.locator('input[type="file"]').setInputFiles(file);
    await dialog.getByText("<i>reader</i>.wav").waitFor();
    await dialog.getByLabel("The speaker agreed").check();
    await dialog.getByRole("button", { name: "Create the voice" }).click();
    await dialog.getByRole("heading", { name: "New voice" }).waitFor({ timeout: SOUND_MS });
    await dialog.getByRole("button", { name: "Play the recording" }).waitFor();
    await dialog.getByText("The voice can speak now.").or(dialog.getByText("The voice was not refined")).waitFor();
    assert.deepEqual(await seriousFaults(page), []);
    await dialog.getByRole("button", { name: "Done" }).click();
    const card = page.getByRole("listitem").filter({ hasText: "onerror" });
    await card.getByText("<b>bold</b>").waitFor({ timeout: SOUND_MS });
    await card.getByRole("button", { name: "Speak", exact: true }).click();
    await page.getByLabel("Text").fill("This is my own voice now.");
    await page.getByRole("button", { name: "Speak", exact: true }).click();
    await played();
    assert.equal(await page.getByTestId("voice").textContent(), HOSTILE);
    assert.match((await page.locator(".word").allTextContents()).join(" "), /^This is my own voice now/);
    // Or its transcription would take the cores from the tests that follow.
    for (const { _id: id } of (await client.voices.list({ self: true })).items) await client.voices.delete(id);
  });

  visits("takes dropped files, and says while it records what is wrong", async ({ page, open }) => {
    await open("voices");
    await page.getByRole("button", { name: "Clone a voice" }).click();
    const dialog = page.getByRole("dialog");
    const clip = (await studio().server.clip("0870")).toString("base64");
    // In the page, where the browser's own types are.
    const transfer = await page.evaluateHandle(`(() => {
      const bytes = Uint8Array.from(atob(${JSON.stringify(clip)}), (character) => character.charCodeAt(0));
      const data = new DataTransfer();
      data.items.add(new File([bytes], "dropped.wav", { type: "audio/wav" }));
      return data;
    })()`);
    await dialog.locator(".drop").dispatchEvent("drop", { dataTransfer: transfer });
    await dialog.getByText("dropped.wav").waitFor();
    await dialog.getByRole("button", { name: "Record yourself" }).click();
    await dialog.getByRole("meter", { name: "Level" }).waitFor();
    await dialog.getByText(/more seconds give a closer match|Too loud|Too quiet/).waitFor();
    assert.deepEqual(await seriousFaults(page), []);
    await screenshot(page, "clone-recording");
    await dialog.getByRole("button", { name: /^Stop/ }).click();
    await dialog.getByRole("button", { name: /^Play recording/ }).waitFor();
  });

  visits("finds a voice by its facts, keeps favourites first, and suggests one that fits the text", async (visit) => {
    const { page, open, context } = visit;
    await open("speak");
    await page.getByRole("button", { name: "Choose the voice" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Search").fill("english kingdom female");
    await dialog.getByRole("button", { name: /^Emma/ }).waitFor();
    assert.equal(await dialog.getByRole("button", { name: /^Heart/ }).count(), 0);
    await dialog.getByRole("button", { name: "Favourite Emma" }).click();
    await dialog.getByRole("button", { name: "Favourite Emma", pressed: true }).waitFor();
    // The pointer rests on the voice, which plays its sample.
    await dialog.getByRole("button", { name: "Stop sample of Emma" }).waitFor();
    await dialog.getByLabel("Search").hover();
    await dialog.getByRole("button", { name: "Play sample of Emma" }).waitFor();
    assert.deepEqual(await seriousFaults(page), []);
    await screenshot(page, "voice-chooser");
    await dialog.getByRole("button", { name: /^Emma/ }).click();
    await page.getByTestId("voice").getByText("Emma").waitFor();
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByRole("button", { name: "Copy the id" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    assert.match(String(await page.evaluate("navigator.clipboard.readText()")), /^[0-9a-f]{32}$/);
    await page.reload();
    await page.getByRole("button", { name: "Choose the voice" }).click();
    const first = page.getByRole("list", { name: "Voices" }).getByRole("listitem").nth(1);
    await first.getByText("Emma").waitFor();
    await page.keyboard.press("Escape");
    await page.getByLabel("Text").fill("Buenos días, ¿cómo está usted? Hay una carta para los niños.");
    await page.getByText("The text seems to be Spanish").waitFor();
    await page.getByRole("button", { name: /^Use / }).click();
    await page.getByText("Spanish · Spain").waitFor();
    for (const route of ["live", "talk"]) {
      await open(route);
      await page.getByRole("button", { name: "Choose the voice" }).waitFor();
    }
  });
}

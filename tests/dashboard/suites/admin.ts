import { visits } from "../studio.ts";

export function adminSuite(): void {
  visits(
    "lets an admin create a user, grant credits, and disable the user",
    async ({ page, open }) => {
      await open("admin");
      await page.getByRole("button", { name: "Create a user" }).click();
      await page.getByRole("dialog").getByLabel("E-mail").fill("grace@example.org");
      await page.getByRole("button", { name: "Create", exact: true }).click();
      await page.getByRole("region", { name: "The sign-in link" }).waitFor();
      await page.getByRole("button", { name: "Done" }).click();
      await page.getByLabel("Search").fill("grace@");
      const row = page.getByRole("row").filter({ hasText: "grace@example.org" });
      await row.getByRole("button", { name: "Grant" }).click();
      await page.getByRole("spinbutton", { name: "Credits" }).fill("1234");
      await page.getByRole("dialog").getByRole("button", { name: "Grant" }).click();
      await page.getByText("1,234 extra credits now").waitFor();
      await row.getByRole("button", { name: "Disable" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Disable" }).click();
      await row.getByText("disabled").waitFor();
    },
    { role: "admin" },
  );

  visits(
    "lets an admin set voice aliases, and shows the settings of the server",
    async ({ page, open }) => {
      await open("admin");
      await page.getByRole("button", { name: "Voice aliases" }).click();
      await page.getByRole("textbox", { name: "Voice id" }).fill("*");
      await page.getByRole("textbox", { name: "Spoken by" }).fill("nobody");
      await page.getByRole("button", { name: "Save alias" }).click();
      await page.getByText("there is no voice").waitFor();
      await page.getByRole("textbox", { name: "Spoken by" }).fill("clara");
      await page.getByRole("button", { name: "Save alias" }).click();
      await page.getByRole("button", { name: "Remove the alias *" }).click();
      await page.getByText("No voice aliases").waitFor();
      await page.getByRole("button", { name: "System", exact: true }).click();
      await page.getByText("PARLANCE_PORT").waitFor();
    },
    { role: "admin" },
  );

  visits(
    "shows an admin who did what in the audit log, and filters it",
    async ({ page, open, account }) => {
      await open("keys");
      await page.getByRole("button", { name: "Create a key" }).click();
      await page.getByRole("textbox", { name: "Name" }).fill("audited");
      await page.getByRole("button", { name: "Create", exact: true }).click();
      await page.getByRole("button", { name: "I have copied it" }).click();
      await open("admin");
      await page.getByRole("button", { name: "Audit log" }).click();
      await page.getByLabel("Search").fill(account.email ?? "");
      await page.getByLabel("Action").selectOption("key.created");
      const row = page.getByRole("row").filter({ hasText: "audited" });
      await row.getByText(account.email ?? "").waitFor();
      await page.getByLabel("Search").fill("nobody at all");
      await page.getByText("No matching entries").waitFor();
    },
    { role: "admin" },
  );
}

/** Keeps a database open and writes to it until SIGTERM. */
import { setTimeout as sleep } from "node:timers/promises";
import { newId } from "../lib/ids.ts";
import { openSqliteStore } from "../stores/sqlite.ts";

const [folder = "", name = ""] = process.argv.slice(2);
const store = await openSqliteStore(folder);
let stopping = false;
process.once("SIGTERM", () => {
  stopping = true;
});
const at = new Date().toISOString();
for (let i = 0; i < 3 || !stopping; i += 1) {
  // Two rows in one transaction: a copy with only one of them is inconsistent.
  await store.transaction(async ({ users }) => {
    for (const half of ["a", "b"]) {
      const email = `${half}${name}${i}@example.org`;
      const names = { nickname: half, email, role: "member", plan: "free" } as const;
      await users.insert({ id: newId(), ...names, createdAt: at, updatedAt: at, disabledAt: null });
    }
  });
  if (i === 2) console.log("open");
  await sleep(1);
}
await store.close();

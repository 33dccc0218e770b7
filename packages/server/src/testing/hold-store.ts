/** Has a database open, and writes to it all the time, until it is asked to stop. */
import { setTimeout as sleep } from "node:timers/promises";
import { newId } from "../services/identity/keys.ts";
import { openSqliteStore } from "../stores/sqlite.ts";

const [folder = "", name = ""] = process.argv.slice(2);
const store = await openSqliteStore(folder);
let stopping = false;
process.once("SIGTERM", () => {
  stopping = true;
});
const at = new Date().toISOString();
for (let i = 0; i < 3 || !stopping; i += 1) {
  // Two rows that belong together: a copy that has one of them is not of one moment.
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

/** Restores a database as a process of its own, and writes down where the old one is. */
import { writeFileSync } from "node:fs";
import { restoreSqlite } from "../stores/backup.ts";

const [folder = "", file = "", kept = ""] = process.argv.slice(2);
writeFileSync(kept, restoreSqlite(folder, file).kept ?? "");

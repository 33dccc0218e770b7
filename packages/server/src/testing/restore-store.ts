/** Restores a database in a separate process, and writes the path of the old one to a file. */
import { writeFileSync } from "node:fs";
import { restoreSqlite } from "../stores/backup.ts";

const [folder = "", file = "", kept = ""] = process.argv.slice(2);
writeFileSync(kept, restoreSqlite(folder, file).kept ?? "");

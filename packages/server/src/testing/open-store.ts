/** Opens a store as one of several processes that start at once, and reports what it did. */
import { bootstrap } from "../services/identity/bootstrap.ts";
import { MIGRATIONS } from "../stores/migrations/index.ts";
import { openPostgresStore } from "../stores/postgres.ts";
import { openSqliteStore } from "../stores/sqlite.ts";

const [folder = "", url = ""] = process.argv.slice(2);

const slow = {
  name: "a slow one",
  up: async (db: Parameters<(typeof MIGRATIONS)[number]["up"]>[0]): Promise<void> => {
    await db.schema.createTable("slow").addColumn("id", "integer").execute();
    await new Promise((resolve) => setTimeout(resolve, 300));
  },
};

const migrations = [...MIGRATIONS, slow];
const store = await (url === "" ? openSqliteStore(folder, migrations) : openPostgresStore(url, migrations));
const { adminId, freshKey } = await bootstrap(store, undefined);
await store.close();
console.log(JSON.stringify({ adminId, fresh: freshKey !== undefined }));
